import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('conversations', '0002_initial'),
        ('people', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='AnsweredCall',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=255)),
                ('digest', models.CharField(max_length=64)),
                ('answer', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('key', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='people.apikey')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['created_at'], name='api_answeredcall_created')],
                'constraints': [models.UniqueConstraint(fields=('key', 'user', 'name'), name='api_answeredcall_unique')],
            },
        ),
        migrations.CreateModel(
            name='IngestedMessage',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(max_length=16, verbose_name='kind')),
                ('payload', models.JSONField(blank=True, default=dict, help_text='Emptied when the job is done.')),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('running', 'running'), ('done', 'done'), ('dead', 'dead')], default='waiting', max_length=8, verbose_name='state')),
                ('attempts', models.PositiveSmallIntegerField(default=0, help_text='Failures; an outage is not counted.', verbose_name='attempts')),
                ('crashes', models.PositiveSmallIntegerField(default=0, help_text='Workers that were lost with this job.', verbose_name='crashes')),
                ('available_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='due')),
                ('leased_until', models.DateTimeField(blank=True, null=True, verbose_name='leased until')),
                ('lease_holder', models.UUIDField(blank=True, editable=False, null=True)),
                ('error', models.CharField(blank=True, max_length=64, verbose_name='error')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='updated')),
                ('channel', models.CharField(max_length=64, verbose_name='channel')),
                ('external_id', models.CharField(max_length=255, verbose_name='outside ID')),
                ('stated_at', models.DateTimeField(verbose_name='stated')),
                ('received_at', models.DateTimeField(verbose_name='received')),
                ('trace', models.JSONField(blank=True, default=dict, verbose_name='trace')),
                ('thread', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ingested_messages', to='conversations.thread')),
            ],
            options={
                'verbose_name': 'ingested message',
                'verbose_name_plural': 'ingested messages',
                'indexes': [models.Index(condition=models.Q(('state__in', ['waiting', 'running'])), fields=['thread', 'received_at'], name='api_ingested_waiting'), models.Index(condition=models.Q(('state__in', ['done', 'dead'])), fields=['updated_at'], name='api_ingested_ended')],
            },
        ),
    ]
