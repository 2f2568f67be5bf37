import conversations.channels
import conversations.models.attachment
import conversations.models.conversation
import conversations.models.message
import django.contrib.postgres.fields
import django.contrib.postgres.search
import django.db.models.deletion
import django.utils.timezone
import pgvector.django.halfvec
import pgvector.django.vector
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('people', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Message',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('episode_reason', models.CharField(blank=True, choices=[('first', 'first message'), ('conversation', 'another conversation'), ('time_gap', 'long pause'), ('marker', 'announced new topic'), ('topic_shift', 'new topic'), ('off_topic', 'maybe a new topic'), ('stay', 'no change')], help_text='Why a message of the user continues its episode or begins it.', max_length=12)),
                ('topic_similarity', models.FloatField(blank=True, help_text='Its cosine with the running summary.', null=True)),
                ('seq', models.PositiveIntegerField()),
                ('role', models.CharField(choices=[('user', 'user'), ('assistant', 'assistant'), ('system', 'system')], max_length=9, verbose_name='role')),
                ('content', models.TextField(blank=True, verbose_name='content')),
                ('status', models.CharField(choices=[('streaming', 'streaming'), ('done', 'done'), ('stopped', 'stopped'), ('failed', 'failed'), ('interrupted', 'interrupted'), ('superseded', 'superseded')], default='done', max_length=11, verbose_name='status')),
                ('error', models.CharField(blank=True, max_length=32, verbose_name='error')),
                ('emergency', models.JSONField(blank=True, default=dict, help_text='Where a message speaks of an emergency, and its kind.')),
                ('emergency_note', models.TextField(blank=True, verbose_name='emergency note')),
                ('former_status', models.CharField(blank=True, choices=[('streaming', 'streaming'), ('done', 'done'), ('stopped', 'stopped'), ('failed', 'failed'), ('interrupted', 'interrupted'), ('superseded', 'superseded')], help_text='The status of a superseded message before.', max_length=11)),
                ('line_kind', models.CharField(blank=True, choices=[('remembered', 'remembered'), ('forgotten', 'forgotten'), ('not_remembered', 'not remembered'), ('forget_all', 'question whether to forget everything'), ('all_forgotten', 'everything forgotten'), ('deferred', 'deferred'), ('not_removed', 'not removed from the notes'), ('asks_forget', 'question whether to forget'), ('not_kept', 'not kept'), ('asks_notes', 'question whether to change the notes')], help_text='What a system message tells of besides a profile update.', max_length=16)),
                ('proposed', models.JSONField(blank=True, null=True)),
                ('teaches', models.BooleanField(default=True, help_text='Whether facts may be learnt from it; only the API says no.')),
                ('withheld', models.BooleanField(default=False, help_text='It states a fact whose text was erased.')),
                ('lookup', models.CharField(blank=True, help_text='What the model searched memory for.', max_length=220)),
                ('heartbeat_at', models.DateTimeField(blank=True, null=True)),
                ('tokens_in', models.PositiveIntegerField(blank=True, null=True)),
                ('tokens_out', models.PositiveIntegerField(blank=True, null=True)),
                ('model', models.CharField(blank=True, max_length=128)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='created')),
                ('answers', models.ForeignKey(blank=True, help_text='The user message that a reply belongs to.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='replies', to='conversations.message')),
            ],
            options={
                'verbose_name': 'message',
                'verbose_name_plural': 'messages',
            },
        ),
        migrations.CreateModel(
            name='MemoryReference',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('position', models.PositiveSmallIntegerField()),
            ],
            options={
                'verbose_name': 'memory reference',
                'verbose_name_plural': 'memory references',
            },
        ),
        migrations.CreateModel(
            name='RemovedFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('file', models.CharField(max_length=64)),
                ('removed_at', models.DateTimeField()),
            ],
            options={
                'verbose_name_plural': 'removed files',
            },
        ),
        migrations.CreateModel(
            name='Summary',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('running', 'running'), ('chunk', 'chunk'), ('final', 'final')], max_length=8, verbose_name='kind')),
                ('first_seq', models.PositiveIntegerField(verbose_name='first message')),
                ('last_seq', models.PositiveIntegerField(verbose_name='last message')),
                ('text', models.TextField(blank=True, verbose_name='text')),
                ('data', models.JSONField(blank=True, default=dict, verbose_name='details')),
                ('stale', models.BooleanField(default=False, help_text='Emptied, and to be written again.', verbose_name='stale')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
            ],
            options={
                'verbose_name': 'summary',
                'verbose_name_plural': 'summaries',
            },
        ),
        migrations.CreateModel(
            name='SummaryJob',
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
            ],
            options={
                'verbose_name': 'summary job',
                'verbose_name_plural': 'summary jobs',
            },
        ),
        migrations.CreateModel(
            name='Thread',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('channel', models.CharField(choices=conversations.channels.choices, max_length=16)),
                ('external_id', models.CharField(max_length=64)),
                ('told_of_edits', models.BooleanField(default=False, help_text='The chat was told that edits are not read.')),
                ('next_seq', models.PositiveIntegerField(default=1)),
                ('lease_holder', models.UUIDField(blank=True, null=True)),
                ('leased_until', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
            ],
            options={
                'verbose_name': 'thread',
                'verbose_name_plural': 'threads',
            },
        ),
        migrations.CreateModel(
            name='Attachment',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField(help_text="Of the user's files.")),
                ('file', models.FileField(max_length=64, storage=conversations.models.attachment.attachment_storage, upload_to='')),
                ('sha256', models.CharField(max_length=64)),
                ('kind', models.CharField(choices=[('image', 'image'), ('document', 'document'), ('audio', 'audio')], max_length=8, verbose_name='kind')),
                ('name', models.CharField(max_length=255, verbose_name='name')),
                ('content_type', models.CharField(max_length=127)),
                ('size', models.PositiveIntegerField(help_text='In bytes.', verbose_name='size')),
                ('description', models.TextField(blank=True, verbose_name='description')),
                ('state', models.CharField(choices=[('pending', 'pending'), ('done', 'done'), ('failed', 'failed')], default='pending', max_length=7, verbose_name='state')),
                ('error', models.CharField(blank=True, max_length=64, verbose_name='error')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('space', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attachments', to='people.space')),
                ('user', models.ForeignKey(db_index=False, help_text='Empty for a guest on Telegram.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='attachments', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'attachment',
                'verbose_name_plural': 'attachments',
            },
        ),
        migrations.CreateModel(
            name='AttachmentText',
            fields=[
                ('embedding', pgvector.django.vector.VectorField(dimensions=1536, null=True)),
                ('embedding_model', models.CharField(default='none', max_length=128)),
                ('near', pgvector.django.halfvec.HalfVectorField(dimensions=512, null=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('caption', 'caption'), ('vision_short', 'short description'), ('vision_detail', 'detailed description'), ('ocr', 'text in the picture'), ('file_summary', 'summary'), ('chunk', 'part'), ('transcript', 'transcript')], max_length=13, verbose_name='kind')),
                ('number', models.PositiveIntegerField(default=0, help_text='Of parts, from 1.')),
                ('total', models.PositiveIntegerField(default=0, help_text='Of parts.')),
                ('place', models.CharField(blank=True, help_text="As in 'page 3'.", max_length=255)),
                ('content', models.TextField()),
                ('content_tsv', models.GeneratedField(db_persist=True, expression=django.contrib.postgres.search.SearchVector(models.Func(models.F('content'), models.Value('/.:-+_@#~&=?'), models.Value('            '), function='translate', output_field=models.TextField()), config='simple'), output_field=django.contrib.postgres.search.SearchVectorField())),
                ('searchable', models.BooleanField()),
                ('stated_at', models.DateTimeField()),
                ('attachment', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='texts', to='conversations.attachment')),
                ('space', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='people.space')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'attachment text',
                'verbose_name_plural': 'attachment texts',
                'db_table': 'attachment_texts',
            },
        ),
        migrations.CreateModel(
            name='Conversation',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('person_removed', models.BooleanField(default=False, help_text='The person it was about has been deleted.')),
                ('chat_model', models.CharField(blank=True, help_text='One of CHAT_MODELS; empty for CHAT_MODEL.', max_length=128, verbose_name='model')),
                ('title', models.CharField(blank=True, max_length=255, verbose_name='title')),
                ('renamed', models.BooleanField(default=False, help_text='The user chose the title.', verbose_name='renamed')),
                ('remember', models.BooleanField(default=True, verbose_name='remember')),
                ('pinned', models.BooleanField(default=False, verbose_name='pinned')),
                ('archived_at', models.DateTimeField(blank=True, null=True, verbose_name='archived')),
                ('closed_at', models.DateTimeField(blank=True, help_text='When the user asked for a new one where there is no list.', null=True, verbose_name='closed')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('last_message_at', models.DateTimeField(verbose_name='last message')),
                ('carries', models.ForeignKey(blank=True, help_text='Earlier conversation whose last messages are in the prompt.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='conversations.conversation')),
                ('person', models.ForeignKey(blank=True, null=True, on_delete=conversations.models.conversation.mark_person_removed, related_name='conversations', to='people.person')),
                ('removed_person', models.ForeignKey(blank=True, help_text='The deleted person, while they can be restored.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='former_conversations', to='people.person')),
                ('space', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='conversations', to='people.space')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='conversations', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'conversation',
                'verbose_name_plural': 'conversations',
            },
        ),
        migrations.CreateModel(
            name='DailyUse',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(verbose_name='day')),
                ('messages', models.PositiveIntegerField(default=0, verbose_name='messages')),
                ('calls', models.PositiveIntegerField(default=0, verbose_name='background calls')),
                ('stored', models.PositiveBigIntegerField(default=0, help_text='Bytes at the end of the day, with some that were deleted since.', verbose_name='stored')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='daily_use', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'daily use',
                'verbose_name_plural': 'daily use',
            },
        ),
        migrations.CreateModel(
            name='DerivationJob',
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
                ('attachment', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='derivation', to='conversations.attachment')),
            ],
            options={
                'verbose_name': 'derivation job',
                'verbose_name_plural': 'derivation jobs',
            },
        ),
        migrations.CreateModel(
            name='Episode',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('status', models.CharField(choices=[('active', 'active'), ('closed', 'closed')], default='active', max_length=8, verbose_name='status')),
                ('started_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='started')),
                ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='ended')),
                ('last_user_message_at', models.DateTimeField(blank=True, null=True, verbose_name='last message of the user')),
                ('topic_label', models.CharField(blank=True, max_length=255, verbose_name='topic')),
                ('summary_vector', pgvector.django.vector.VectorField(blank=True, dimensions=1536, null=True)),
                ('summary_model', models.CharField(blank=True, max_length=128)),
                ('conversation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='episodes', to='conversations.conversation')),
            ],
            options={
                'verbose_name': 'episode',
                'verbose_name_plural': 'episodes',
            },
        ),
        migrations.CreateModel(
            name='MessageIndex',
            fields=[
                ('embedding', pgvector.django.vector.VectorField(dimensions=1536, null=True)),
                ('embedding_model', models.CharField(default='none', max_length=128)),
                ('near', pgvector.django.halfvec.HalfVectorField(dimensions=512, null=True)),
                ('message', models.OneToOneField(db_column='id', on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='index', serialize=False, to='conversations.message')),
                ('session', models.UUIDField(help_text='The episode that it was said in.')),
                ('place', models.PositiveIntegerField(help_text="The message's number in its thread.")),
                ('speaker', models.CharField(help_text='The role of who spoke.', max_length=9)),
                ('content', models.TextField()),
                ('content_tsv', models.GeneratedField(db_persist=True, expression=django.contrib.postgres.search.SearchVector(models.Func(models.F('content'), models.Value('/.:-+_@#~&=?'), models.Value('            '), function='translate', output_field=models.TextField()), config='simple'), output_field=django.contrib.postgres.search.SearchVectorField())),
                ('stated_at', models.DateTimeField()),
            ],
            options={
                'verbose_name_plural': 'message index',
                'db_table': 'message_index',
            },
        ),
        migrations.CreateModel(
            name='Receipt',
            fields=[
                ('message', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='receipt', serialize=False, to='conversations.message')),
                ('groups', models.JSONField(default=list, help_text='Scores of rows of one kind and section; see `add`.')),
                ('told', django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), default=list, help_text='Keys of facts in the prompt, in the order of the groups.', size=None)),
                ('others', django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), default=list, help_text='Keys of all other rows, in the order of the groups.', size=None)),
                ('facts_found', models.PositiveSmallIntegerField(default=0, help_text='By the search for remembered facts.')),
                ('facts_used', models.PositiveSmallIntegerField(default=0, help_text='Those of them that were in the prompt.')),
            ],
            options={
                'verbose_name': 'receipt',
                'verbose_name_plural': 'receipts',
            },
        ),
        migrations.AddField(
            model_name='message',
            name='conversation',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='messages', to='conversations.conversation'),
        ),
        migrations.AddField(
            model_name='message',
            name='episode',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='messages', to='conversations.episode'),
        ),
        migrations.AddField(
            model_name='message',
            name='first_version',
            field=models.ForeignKey(blank=True, db_index=False, help_text='The message as it was first sent, of one that was edited.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='edits', to='conversations.message'),
        ),
        migrations.AddField(
            model_name='message',
            name='profile_update',
            field=models.OneToOneField(blank=True, help_text='The change that a system message tells of.', null=True, on_delete=conversations.models.message.blank_line, related_name='message', to='people.profileupdate'),
        ),
        migrations.AddField(
            model_name='message',
            name='superseded_with',
            field=models.ForeignKey(blank=True, db_index=False, help_text='The version that makes it current again.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='branch', to='conversations.message'),
        ),
        migrations.AddField(
            model_name='attachment',
            name='message',
            field=models.ForeignKey(help_text='Empty until the file is sent.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='attachments', to='conversations.message'),
        ),
        migrations.CreateModel(
            name='Feedback',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('rating', models.CharField(choices=[('good', 'good'), ('bad', 'bad')], max_length=4, verbose_name='rating')),
                ('reason', models.CharField(blank=True, max_length=1000, verbose_name='reason')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='updated')),
                ('message', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='feedback', to='conversations.message', verbose_name='reply')),
                ('space', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='feedback', to='people.space', verbose_name='space')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='feedback', to=settings.AUTH_USER_MODEL, verbose_name='user')),
            ],
            options={
                'verbose_name': 'feedback',
                'verbose_name_plural': 'feedback',
            },
        ),
    ]
