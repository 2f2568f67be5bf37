import conversations.telegram.models.link
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import meddie.crypto
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
            name='TelegramBot',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('bot_id', models.BigIntegerField(verbose_name='number at Telegram')),
                ('username', models.CharField(max_length=64, verbose_name='username')),
                ('token', meddie.crypto.EncryptedField(editable=False)),
                ('secret', meddie.crypto.EncryptedField(editable=False)),
                ('api_url', models.CharField(default=conversations.telegram.models.link.default_api_url, max_length=200, validators=[django.core.validators.URLValidator(schemes=['http', 'https'])], verbose_name='address of the Bot API')),
                ('polled', models.BooleanField(default=False, verbose_name='polled')),
                ('error', models.CharField(blank=True, choices=[('wrong_token', 'Telegram no longer knows the token'), ('refused', 'Telegram refused the request'), ('too_many', 'Telegram asked to slow down'), ('elsewhere', "another program fetches the bot's messages"), ('unreachable', 'Telegram could not be reached')], max_length=16, verbose_name='last problem')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('space', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='telegram_bot', to='people.space')),
            ],
            options={
                'verbose_name': 'Telegram bot',
                'verbose_name_plural': 'Telegram bots',
            },
        ),
        migrations.CreateModel(
            name='TelegramLink',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('telegram_id', models.BigIntegerField(verbose_name='Telegram ID')),
                ('confirmed_at', models.DateTimeField(blank=True, help_text='When the user confirmed that the Telegram account is theirs.', null=True, verbose_name='confirmed')),
                ('blocked_at', models.DateTimeField(blank=True, help_text='When Telegram said that they have blocked the bot.', null=True, verbose_name='blocked')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('asked_by', models.ForeignKey(blank=True, help_text="The admin who linked the ID; empty for a user's own code.", null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='asked by')),
                ('person', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='telegram_links', to='people.person', verbose_name='person')),
                ('space', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='telegram_links', to='people.space')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='telegram_links', to=settings.AUTH_USER_MODEL, verbose_name='user')),
            ],
            options={
                'verbose_name': 'Telegram link',
                'verbose_name_plural': 'Telegram links',
            },
        ),
        migrations.CreateModel(
            name='TelegramLinkCode',
            fields=[
                ('token_hash', models.CharField(max_length=64)),
                ('expires_at', models.DateTimeField(verbose_name='expires')),
                ('used_at', models.DateTimeField(blank=True, null=True, verbose_name='used')),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('space', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='telegram_codes', to='people.space')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='telegram_codes', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'Telegram link code',
                'verbose_name_plural': 'Telegram link codes',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='TelegramUpdate',
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
                ('update_id', models.BigIntegerField()),
                ('stage', models.CharField(choices=[('received', 'received'), ('turn', 'turn stored'), ('reply', 'reply stored')], default='received', max_length=8, verbose_name='stage')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='updates', to='telegram.telegrambot')),
                ('link', models.ForeignKey(blank=True, help_text='The link of the sender; empty for an unlinked account.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='telegram.telegramlink')),
                ('reply', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='conversations.message')),
                ('thread', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='telegram_updates', to='conversations.thread')),
            ],
            options={
                'verbose_name': 'Telegram update',
                'verbose_name_plural': 'Telegram updates',
            },
        ),
        migrations.CreateModel(
            name='TelegramPart',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveSmallIntegerField()),
                ('html', models.TextField(blank=True)),
                ('undo', models.UUIDField(blank=True, help_text='The line or profile update that a button undoes.', null=True)),
                ('uncertain', models.BooleanField(default=False, help_text='Telegram may have it already.')),
                ('telegram_message_id', models.BigIntegerField(blank=True, null=True)),
                ('sent_at', models.DateTimeField(blank=True, null=True, verbose_name='sent')),
                ('reply', models.ForeignKey(blank=True, help_text='The reply whose end the line follows in this message.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='conversations.message')),
                ('update', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='telegram.telegramupdate')),
            ],
            options={
                'verbose_name': 'Telegram part',
                'verbose_name_plural': 'Telegram parts',
            },
        ),
        migrations.AddConstraint(
            model_name='telegrambot',
            constraint=models.UniqueConstraint(fields=('bot_id',), name='telegram_bot_bot_id_unique'),
        ),
        migrations.AddConstraint(
            model_name='telegramlink',
            constraint=models.UniqueConstraint(fields=('space', 'telegram_id'), name='telegram_link_space_id_unique', violation_error_message='This Telegram ID is already linked here.'),
        ),
        migrations.AddConstraint(
            model_name='telegramlink',
            constraint=models.CheckConstraint(condition=models.Q(('telegram_id__gt', 0)), name='telegram_link_id_positive'),
        ),
        migrations.AddConstraint(
            model_name='telegramlinkcode',
            constraint=models.UniqueConstraint(fields=('token_hash',), name='telegram_telegramlinkcode_token_unique'),
        ),
        migrations.AddIndex(
            model_name='telegramupdate',
            index=models.Index(condition=models.Q(('state__in', ['waiting', 'running'])), fields=['thread', 'update_id'], name='telegram_update_waiting'),
        ),
        migrations.AddIndex(
            model_name='telegramupdate',
            index=models.Index(condition=models.Q(('state__in', ['done', 'dead'])), fields=['updated_at'], name='telegram_update_ended'),
        ),
        migrations.AddConstraint(
            model_name='telegramupdate',
            constraint=models.UniqueConstraint(fields=('bot', 'update_id'), name='telegram_update_once'),
        ),
        migrations.AddConstraint(
            model_name='telegrampart',
            constraint=models.UniqueConstraint(fields=('update', 'number'), name='telegram_part_number'),
        ),
    ]
