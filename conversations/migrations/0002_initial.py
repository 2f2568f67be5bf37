import django.contrib.postgres.indexes
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('conversations', '0001_initial'),
        ('memory', '0002_initial'),
        ('people', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='memoryreference',
            name='memory',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='memory.memory'),
        ),
        migrations.AddField(
            model_name='memoryreference',
            name='message',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='references', to='conversations.message'),
        ),
        migrations.AddField(
            model_name='memoryreference',
            name='profile_fact',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='memory.profilefact'),
        ),
        migrations.AddField(
            model_name='summary',
            name='conversation',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='summaries', to='conversations.conversation'),
        ),
        migrations.AddField(
            model_name='summary',
            name='episode',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='summaries', to='conversations.episode'),
        ),
        migrations.AddField(
            model_name='summary',
            name='memory',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='summaries', to='memory.episodicmemory'),
        ),
        migrations.AddField(
            model_name='summaryjob',
            name='episode',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='summary_jobs', to='conversations.episode'),
        ),
        migrations.AddField(
            model_name='thread',
            name='space',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='threads', to='people.space'),
        ),
        migrations.AddField(
            model_name='thread',
            name='user',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='threads', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='summary',
            name='thread',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='summaries', to='conversations.thread'),
        ),
        migrations.AddField(
            model_name='message',
            name='thread',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='messages', to='conversations.thread'),
        ),
        migrations.AddField(
            model_name='episode',
            name='thread',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='episodes', to='conversations.thread'),
        ),
        migrations.AddField(
            model_name='conversation',
            name='thread',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='conversations', to='conversations.thread'),
        ),
        migrations.AddIndex(
            model_name='attachmenttext',
            index=models.Index(fields=['user', 'space'], name='attachment_texts_user_space'),
        ),
        migrations.AddIndex(
            model_name='attachmenttext',
            index=models.Index(fields=['embedding_model'], name='attachment_texts_model'),
        ),
        migrations.AddConstraint(
            model_name='attachmenttext',
            constraint=models.UniqueConstraint(fields=('attachment', 'kind', 'number'), name='attachment_texts_unique'),
        ),
        migrations.AddConstraint(
            model_name='attachmenttext',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ('ocr', 'chunk', 'transcript')), ('number__gte', 1), ('number__lte', models.F('total'))), models.Q(models.Q(('kind__in', ('ocr', 'chunk', 'transcript')), _negated=True), ('number', 0), ('total', 0)), _connector='OR'), name='attachment_texts_one_of_a_kind'),
        ),
        migrations.AddConstraint(
            model_name='dailyuse',
            constraint=models.UniqueConstraint(fields=('user', 'day'), name='conversations_dailyuse_unique'),
        ),
        migrations.AddIndex(
            model_name='derivationjob',
            index=models.Index(condition=models.Q(('state__in', ['waiting', 'running'])), fields=['available_at'], name='conversations_derivation_due'),
        ),
        migrations.AddField(
            model_name='messageindex',
            name='space',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='people.space'),
        ),
        migrations.AddField(
            model_name='messageindex',
            name='user',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddIndex(
            model_name='receipt',
            index=django.contrib.postgres.indexes.GinIndex(fields=['told'], name='conversations_receipt_told'),
        ),
        migrations.AddIndex(
            model_name='attachment',
            index=models.Index(fields=['user', 'sha256'], name='conversations_attachment_same'),
        ),
        migrations.AddIndex(
            model_name='attachment',
            index=models.Index(fields=['file'], name='conversations_attachment_file'),
        ),
        migrations.AddConstraint(
            model_name='attachment',
            constraint=models.UniqueConstraint(fields=('user', 'number'), name='conversations_attachment_number'),
        ),
        migrations.AddConstraint(
            model_name='feedback',
            constraint=models.UniqueConstraint(fields=('message', 'user'), name='conversations_feedback_unique'),
        ),
        migrations.AddConstraint(
            model_name='memoryreference',
            constraint=models.UniqueConstraint(fields=('message', 'position'), name='conversations_memoryreference_position'),
        ),
        migrations.AddIndex(
            model_name='summaryjob',
            index=models.Index(condition=models.Q(('state__in', ['waiting', 'running'])), fields=['available_at'], name='conversations_summaryjob_due'),
        ),
        migrations.AddConstraint(
            model_name='summaryjob',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'done'), _negated=True), fields=('episode', 'kind'), name='conversations_summaryjob_once'),
        ),
        migrations.AddConstraint(
            model_name='thread',
            constraint=models.UniqueConstraint(fields=('space', 'channel', 'external_id'), name='conversations_thread_unique'),
        ),
        migrations.AddIndex(
            model_name='summary',
            index=models.Index(fields=['thread', 'last_seq'], name='conversations_summary_order'),
        ),
        migrations.AddConstraint(
            model_name='summary',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ('running', 'chunk', 'final'))), name='conversations_summary_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='summary',
            constraint=models.CheckConstraint(condition=models.Q(('first_seq__lte', models.F('last_seq'))), name='conversations_summary_range_forwards'),
        ),
        migrations.AddConstraint(
            model_name='summary',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'chunk')), fields=('thread', 'first_seq'), name='conversations_summary_chunk_once'),
        ),
        migrations.AddConstraint(
            model_name='summary',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'chunk'), _negated=True), fields=('episode', 'kind'), name='conversations_summary_one_of_episode'),
        ),
        migrations.AddIndex(
            model_name='message',
            index=models.Index(fields=['conversation', 'seq'], name='conversations_message_order'),
        ),
        migrations.AddIndex(
            model_name='message',
            index=models.Index(condition=models.Q(('status', 'streaming')), fields=['heartbeat_at'], name='conversations_message_beating'),
        ),
        migrations.AddIndex(
            model_name='message',
            index=django.contrib.postgres.indexes.BrinIndex(autosummarize=True, fields=['created_at'], name='conversations_message_when'),
        ),
        migrations.AddIndex(
            model_name='message',
            index=models.Index(condition=models.Q(('first_version__isnull', False)), fields=['first_version'], name='conversations_message_versions'),
        ),
        migrations.AddIndex(
            model_name='message',
            index=models.Index(condition=models.Q(('superseded_with__isnull', False)), fields=['superseded_with'], name='conversations_message_branch'),
        ),
        migrations.AddConstraint(
            model_name='message',
            constraint=models.UniqueConstraint(fields=('thread', 'seq'), name='conversations_message_seq_unique'),
        ),
        migrations.AddConstraint(
            model_name='message',
            constraint=models.UniqueConstraint(condition=models.Q(('status', 'streaming')), fields=('thread',), name='conversations_message_one_streaming'),
        ),
        migrations.AddConstraint(
            model_name='episode',
            constraint=models.UniqueConstraint(condition=models.Q(('status', 'active')), fields=('thread',), name='conversations_episode_one_active'),
        ),
        migrations.AddIndex(
            model_name='conversation',
            index=models.Index(fields=['user', 'space', '-last_message_at'], name='conversations_newest'),
        ),
        migrations.AddIndex(
            model_name='messageindex',
            index=models.Index(fields=['user', 'space'], name='message_index_user_space'),
        ),
        migrations.AddIndex(
            model_name='messageindex',
            index=models.Index(fields=['embedding_model'], name='message_index_model'),
        ),
    ]
