import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.comparison
import django.db.models.functions.text
import django.db.models.lookups
import django.utils.timezone
import pgvector.django.halfvec
import pgvector.django.indexes
import pgvector.django.vector
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('conversations', '0001_initial'),
        ('memory', '0001_enable_pgvector'),
        ('people', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='CalibrationJob',
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
                ('model', models.CharField(max_length=128, unique=True, verbose_name='embedding model')),
                ('thresholds', models.JSONField(blank=True, default=dict, verbose_name='thresholds')),
            ],
            options={
                'verbose_name': 'calibration of an embedding model',
                'verbose_name_plural': 'calibrations of embedding models',
            },
        ),
        migrations.CreateModel(
            name='Memory',
            fields=[
                ('embedding', pgvector.django.vector.VectorField(dimensions=1536, null=True)),
                ('embedding_model', models.CharField(default='none', max_length=128)),
                ('near', pgvector.django.halfvec.HalfVectorField(dimensions=512, null=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('origin', models.CharField(choices=[('inline', 'reply'), ('background', 'background'), ('episode_close', 'episode'), ('lore', 'lore'), ('operator', 'operator'), ('import', 'import')], default='inline', max_length=16, verbose_name='origin')),
                ('channel', models.CharField(blank=True, max_length=64)),
                ('confidence', models.FloatField(default=1.0, validators=[django.core.validators.MinValueValidator(0.0), django.core.validators.MaxValueValidator(1.0)], verbose_name='confidence')),
                ('stated_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='stated')),
                ('active', models.BooleanField(default=True, verbose_name='active')),
                ('retired_reason', models.CharField(blank=True, choices=[('superseded', 'superseded'), ('archived', 'archived'), ('retracted', 'retracted')], default='', max_length=16, verbose_name='retired because')),
                ('retired_at', models.DateTimeField(blank=True, null=True, verbose_name='retired')),
                ('inserted_at', models.DateTimeField(auto_now_add=True, verbose_name='stored')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='updated')),
                ('audience', models.CharField(choices=[('private', 'private'), ('space', 'the whole space'), ('everyone', 'everyone')], default='private', max_length=8)),
                ('content', models.TextField(validators=[django.core.validators.MaxLengthValidator(500)], verbose_name='content')),
                ('content_hash', models.CharField(max_length=64)),
                ('content_tsv', models.GeneratedField(db_persist=True, expression=django.contrib.postgres.search.SearchVector(models.Func(models.F('content'), models.Value('/.:-+_@#~&=?'), models.Value('            '), function='translate', output_field=models.TextField()), config='simple'), output_field=django.contrib.postgres.search.SearchVectorField())),
                ('kind', models.CharField(choices=[('preference', 'preference'), ('profile', 'profile'), ('relationship', 'relationship'), ('project', 'project'), ('lore', 'lore'), ('other', 'other')], default='other', max_length=16, verbose_name='kind')),
                ('source', models.CharField(choices=[('chat', 'chat'), ('manual', 'manual')], default='chat', max_length=8)),
                ('room', models.CharField(blank=True, db_default='', default='', help_text='The chat of the channel, where several people share one.', max_length=255)),
                ('run_id', models.UUIDField(blank=True, help_text='The episode that it was said in.', null=True)),
                ('evidence', models.TextField(blank=True, verbose_name='evidence')),
                ('evidence_tsv', models.GeneratedField(db_persist=True, expression=django.contrib.postgres.search.SearchVector(models.Func(models.F('evidence'), models.Value('/.:-+_@#~&=?'), models.Value('            '), function='translate', output_field=models.TextField()), config='simple'), output_field=django.contrib.postgres.search.SearchVectorField())),
                ('ann', models.BooleanField(default=False, help_text='In the approximate index: only in scopes past the exact limit.')),
                ('source_message', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='memories', to='conversations.message')),
                ('space', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='memories', to='people.space')),
                ('told_by', models.ForeignKey(blank=True, db_index=False, help_text='Of lore: who told it last.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='lore', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='memories', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'memory',
                'verbose_name_plural': 'memories',
                'db_table': 'memories',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='CommunityMemory',
            fields=[
            ],
            options={
                'verbose_name': 'community memory',
                'verbose_name_plural': 'community memories',
                'proxy': True,
                'indexes': [],
                'constraints': [],
            },
            bases=('memory.memory',),
        ),
        migrations.CreateModel(
            name='MemoryEvent',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('memory_decision', 'decision'), ('memory_extract_call', 'extraction'), ('memory_extract_error', 'extraction failed'), ('memory_embedding_error', 'embedding failed'), ('memory_block_error', 'unreadable block'), ('memory_forget', 'forgotten'), ('memory_restore', 'restored'), ('bot_error', 'message not answered'), ('voice_error', 'speech not transcribed'), ('inspection', 'looked at by staff')], max_length=32, verbose_name='kind')),
                ('data', models.JSONField(default=dict)),
                ('texts', models.JSONField(default=dict, help_text='Refused proposals and unreadable blocks, for 30 days or until something is forgotten.')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='when')),
                ('by', models.ForeignKey(help_text='The staff member who did it.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('space', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='memory_events', to='people.space')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memory_events', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'memory event',
                'verbose_name_plural': 'memory events',
            },
        ),
        migrations.CreateModel(
            name='MemoryLink',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('lent', models.BooleanField(db_default=False, default=False, editable=False)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('memory', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='links', to='memory.memory')),
                ('space', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memory_links', to='people.space')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='memory_links', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'memory link',
                'verbose_name_plural': 'memory links',
            },
        ),
        migrations.CreateModel(
            name='MemoryPolicy',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('ranking', models.CharField(choices=[('chat', 'chat, calibrated for the embedding model'), ('chat_literal', 'chat, to the letter of the document'), ('fused', 'fused, with speakers, neighbours and sessions'), ('ranked', 'ranked, with confidence, recency and channel'), ('strict_semantic', 'strict semantic, by meaning alone')], default='chat', max_length=16, verbose_name='ranking of facts')),
                ('api_ranking', models.CharField(choices=[('chat', 'chat, calibrated for the embedding model'), ('chat_literal', 'chat, to the letter of the document'), ('fused', 'fused, with speakers, neighbours and sessions'), ('ranked', 'ranked, with confidence, recency and channel'), ('strict_semantic', 'strict semantic, by meaning alone')], default='strict_semantic', max_length=16, verbose_name='ranking of facts for the API')),
                ('decay_half_life', models.PositiveSmallIntegerField(blank=True, help_text='After these days a fact counts half, unless it is stated again. Empty: facts do not fade.', null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='half-life of facts in days')),
                ('keep_per_user', models.PositiveSmallIntegerField(blank=True, help_text='Older ones are archived every hour. Empty: all are kept.', null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='facts to keep for each user')),
                ('time_to_live_days', models.PositiveSmallIntegerField(blank=True, help_text='Once a day older ones are archived, by kind, importance and use. Empty: facts do not expire.', null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='days that facts live')),
                ('lore', models.BooleanField(default=False, help_text='Every member sees what replies keep as a line of the space.', verbose_name='keep lines for the whole space')),
                ('keep_lore', models.PositiveSmallIntegerField(default=120, help_text='Older ones are archived every hour.', validators=[django.core.validators.MinValueValidator(1)], verbose_name='lines to keep for the space')),
                ('journal', models.CharField(choices=[('never', 'none'), ('ingested', 'of channels that are ingested'), ('all', 'of all channels')], default='ingested', help_text='Files on the server, for its operators. Replies never read them. Lines that are no longer wanted leave the files within five minutes.', max_length=8, verbose_name='journals of messages')),
                ('facts_tokens', models.PositiveIntegerField(default=1000, help_text='For the newest facts, which are in every prompt in the order in which they were stored; what else a search finds comes with the message. 0: only what a search finds.', verbose_name='tokens for facts')),
                ('model_lookup', models.BooleanField(default=False, help_text='Once for each reply, where the provider has tools.', verbose_name='let the model search memory')),
                ('inline_capture', models.BooleanField(default=True, verbose_name='remember what replies note down')),
                ('tells_remembered', models.BooleanField(default=True, help_text='Without it facts are stored all the same, and what was forgotten is still told.', verbose_name='say under a reply what was remembered')),
                ('background_capture', models.CharField(choices=[('never', 'never'), ('api', 'where no reply notes facts down: the API'), ('always', 'on all channels')], default='api', max_length=8, verbose_name='extract facts from messages')),
                ('space', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='memory_policy', to='people.space')),
            ],
            options={
                'verbose_name': 'memory policy',
                'verbose_name_plural': 'memory policies',
            },
        ),
        migrations.CreateModel(
            name='MemoryStatement',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('message_id', models.UUIDField(null=True, verbose_name='message')),
                ('stated_at', models.DateTimeField(verbose_name='stated')),
                ('withdrawn', models.BooleanField(default=False)),
                ('memory', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='statements', to='memory.memory')),
            ],
            options={
                'verbose_name': 'statement of a memory',
                'verbose_name_plural': 'statements of memories',
            },
        ),
        migrations.CreateModel(
            name='ProfileFact',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('origin', models.CharField(choices=[('inline', 'reply'), ('background', 'background'), ('episode_close', 'episode'), ('lore', 'lore'), ('operator', 'operator'), ('import', 'import')], default='inline', max_length=16, verbose_name='origin')),
                ('channel', models.CharField(blank=True, max_length=64)),
                ('confidence', models.FloatField(default=1.0, validators=[django.core.validators.MinValueValidator(0.0), django.core.validators.MaxValueValidator(1.0)], verbose_name='confidence')),
                ('stated_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='stated')),
                ('active', models.BooleanField(default=True, verbose_name='active')),
                ('retired_reason', models.CharField(blank=True, choices=[('superseded', 'superseded'), ('archived', 'archived'), ('retracted', 'retracted')], default='', max_length=16, verbose_name='retired because')),
                ('retired_at', models.DateTimeField(blank=True, null=True, verbose_name='retired')),
                ('inserted_at', models.DateTimeField(auto_now_add=True, verbose_name='stored')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='updated')),
                ('category', models.CharField(choices=[('identity', 'identity'), ('preference', 'preference'), ('constraint', 'constraint'), ('instruction', 'instruction')], max_length=16, verbose_name='category')),
                ('key', models.CharField(max_length=64, verbose_name='key')),
                ('value', models.CharField(max_length=200, verbose_name='value')),
                ('importance', models.FloatField(default=0.8, validators=[django.core.validators.MinValueValidator(0.0), django.core.validators.MaxValueValidator(1.0)], verbose_name='importance')),
                ('content_tsv', models.GeneratedField(db_persist=True, expression=django.contrib.postgres.search.SearchVector(models.Func(models.F('key'), models.Value('/.:-+_@#~&=?'), models.Value('            '), function='translate', output_field=models.TextField()), models.Func(models.F('value'), models.Value('/.:-+_@#~&=?'), models.Value('            '), function='translate', output_field=models.TextField()), config='simple'), output_field=django.contrib.postgres.search.SearchVectorField())),
                ('message_id', models.UUIDField(blank=True, null=True, verbose_name='message')),
                ('withdrawn', models.BooleanField(default=False)),
                ('space', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='profile_facts', to='people.space')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='profile_facts', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'profile fact',
                'verbose_name_plural': 'profile facts',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='MemoryUpdate',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('reason', models.CharField(max_length=255, verbose_name='reason')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('new', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='updates_here', to='memory.memory')),
                ('old', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='updates_away', to='memory.memory')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memory_updates', to=settings.AUTH_USER_MODEL)),
                ('new_fact', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='updates_here', to='memory.profilefact')),
                ('old_fact', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='updates_away', to='memory.profilefact')),
            ],
            options={
                'verbose_name': 'memory update',
                'verbose_name_plural': 'memory updates',
            },
        ),
        migrations.CreateModel(
            name='CaptureJob',
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
                ('origin', models.CharField(choices=[('inline', 'reply'), ('background', 'background'), ('episode_close', 'episode'), ('lore', 'lore'), ('operator', 'operator'), ('import', 'import')], max_length=16, verbose_name='origin')),
                ('source_id', models.UUIDField()),
                ('channel', models.CharField(max_length=64)),
                ('room', models.CharField(blank=True, max_length=255)),
                ('run_id', models.UUIDField(blank=True, null=True)),
                ('stated_at', models.DateTimeField(verbose_name='stated')),
                ('space', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='capture_jobs', to='people.space')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='capture_jobs', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'capture job',
                'verbose_name_plural': 'capture jobs',
                'indexes': [models.Index(condition=models.Q(('state__in', ['waiting', 'running'])), fields=['available_at'], name='memory_job_due'), models.Index(condition=models.Q(('state', 'done'), _negated=True), fields=['kind'], name='memory_job_unfinished')],
                'constraints': [models.UniqueConstraint(fields=('origin', 'kind', 'source_id'), name='memory_job_source_unique')],
            },
        ),
        migrations.CreateModel(
            name='EpisodicMemory',
            fields=[
                ('embedding', pgvector.django.vector.VectorField(dimensions=1536, null=True)),
                ('embedding_model', models.CharField(default='none', max_length=128)),
                ('near', pgvector.django.halfvec.HalfVectorField(dimensions=512, null=True)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('run_id', models.UUIDField(help_text='The episode that it was said in.')),
                ('thread_id', models.UUIDField(help_text='The thread whose turns it sums up.')),
                ('turn_start', models.PositiveIntegerField(verbose_name='first turn')),
                ('turn_end', models.PositiveIntegerField(verbose_name='last turn')),
                ('turn_range', models.TextField(verbose_name='turns')),
                ('content', models.TextField(verbose_name='summary')),
                ('content_tsv', models.GeneratedField(db_persist=True, expression=django.contrib.postgres.search.SearchVector(models.Func(models.F('content'), models.Value('/.:-+_@#~&=?'), models.Value('            '), function='translate', output_field=models.TextField()), config='simple'), output_field=django.contrib.postgres.search.SearchVectorField())),
                ('stated_at', models.DateTimeField(verbose_name='stated')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('space', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='episodic_memories', to='people.space')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='episodic_memories', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'episodic memory',
                'verbose_name_plural': 'episodic memories',
                'db_table': 'episodic_memories',
                'indexes': [models.Index(fields=['user', 'space'], name='episodic_memories_user_space'), models.Index(fields=['run_id'], name='episodic_memories_run'), models.Index(fields=['embedding_model'], name='episodic_memories_model')],
                'constraints': [models.CheckConstraint(condition=models.Q(('turn_start__lte', models.F('turn_end'))), name='episodic_memories_range_forwards')],
            },
        ),
        migrations.CreateModel(
            name='JournalFile',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('day', models.DateField()),
                ('size', models.PositiveBigIntegerField(null=True)),
                ('space', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='people.space')),
            ],
            options={
                'verbose_name': 'journal file',
                'verbose_name_plural': 'journal files',
                'indexes': [models.Index(condition=models.Q(('size', None)), fields=['space', 'day'], name='memory_journalfile_stale')],
                'constraints': [models.UniqueConstraint(fields=('space', 'day'), name='memory_journalfile_unique')],
            },
        ),
        migrations.CreateModel(
            name='JournalLine',
            fields=[
                ('id', models.UUIDField(editable=False, help_text='Of the message.', primary_key=True, serialize=False)),
                ('at', models.DateTimeField(verbose_name='stated')),
                ('day', models.GeneratedField(db_persist=True, expression=django.db.models.functions.comparison.Cast(models.Func(models.Value('UTC'), 'at', function='timezone', output_field=models.DateTimeField()), models.DateField()), output_field=models.DateField())),
                ('author', models.CharField(max_length=64, verbose_name='author')),
                ('text', models.CharField(max_length=320, verbose_name='text')),
                ('ingested', models.BooleanField(default=False, verbose_name='through the ingestion API')),
                ('written', models.BooleanField(default=False)),
                ('space', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='people.space')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'journal line',
                'verbose_name_plural': 'journal lines',
                'indexes': [models.Index(fields=['space', 'day', 'at', 'id'], name='memory_journal_order'), models.Index(fields=['user', 'space'], name='memory_journal_author'), models.Index(condition=models.Q(('written', False)), fields=['space', 'day'], name='memory_journal_unwritten')],
            },
        ),
        migrations.AddIndex(
            model_name='memory',
            index=models.Index(fields=['user', 'space'], name='memories_user_space'),
        ),
        migrations.AddIndex(
            model_name='memory',
            index=models.Index(condition=models.Q(('active', True)), fields=['user', 'space', '-stated_at', '-id'], name='memories_newest'),
        ),
        migrations.AddIndex(
            model_name='memory',
            index=pgvector.django.indexes.HnswIndex(condition=models.Q(('ann', True)), ef_construction=64, fields=['near'], m=16, name='memories_near_hnsw', opclasses=['halfvec_cosine_ops']),
        ),
        migrations.AddIndex(
            model_name='memory',
            index=models.Index(condition=models.Q(('ann', True)), fields=['user', 'space'], name='memories_scope_ann'),
        ),
        migrations.AddIndex(
            model_name='memory',
            index=models.Index(condition=models.Q(('active', True), ('ann', False)), fields=['user', 'space'], name='memories_scope_late'),
        ),
        migrations.AddIndex(
            model_name='memory',
            index=models.Index(condition=models.Q(('told_by__isnull', False)), fields=['told_by'], name='memories_told_by'),
        ),
        migrations.AddIndex(
            model_name='memory',
            index=models.Index(fields=['embedding_model'], name='memories_model'),
        ),
        migrations.AddIndex(
            model_name='memory',
            index=models.Index(fields=['-updated_at', '-id'], name='memories_changed'),
        ),
        migrations.AddIndex(
            model_name='memory',
            index=models.Index(condition=models.Q(('active', True)), fields=['inserted_at', 'origin'], name='memories_charted'),
        ),
        migrations.AddIndex(
            model_name='memory',
            index=django.contrib.postgres.indexes.GinIndex(fields=['content_tsv'], name='memories_content_tsv_gin'),
        ),
        migrations.AddConstraint(
            model_name='memory',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('active', True), ('retired_at__isnull', True), ('retired_reason', '')), models.Q(('active', False), ('retired_at__isnull', False), ('retired_reason__in', ['superseded', 'archived', 'retracted'])), _connector='OR'), name='memory_memory_active_unless_retired'),
        ),
        migrations.AddConstraint(
            model_name='memory',
            constraint=models.UniqueConstraint(fields=('content_hash', 'user', 'space'), name='memories_hash_user_space_unique', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='memory',
            constraint=models.CheckConstraint(condition=django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('content'), 500), name='memories_content_at_most_500'),
        ),
        migrations.AddConstraint(
            model_name='memory',
            constraint=models.CheckConstraint(condition=models.Q(('embedding_model', 'none'), ('near__isnull', False), _connector='OR'), name='memories_vector_of_model'),
        ),
        migrations.AddConstraint(
            model_name='memory',
            constraint=models.CheckConstraint(condition=models.Q(('source__in', ['chat', 'manual'])), name='memories_source_known'),
        ),
        migrations.AddConstraint(
            model_name='memory',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('audience', 'private'), ('space__isnull', False), ('user__isnull', False)), models.Q(('audience', 'space'), ('space__isnull', False), ('user__isnull', True)), models.Q(('audience', 'everyone'), ('space__isnull', True), ('user__isnull', True)), _connector='OR'), name='memories_audience_owner'),
        ),
        migrations.AddIndex(
            model_name='memoryevent',
            index=models.Index(fields=['-created_at'], name='memory_event_newest'),
        ),
        migrations.AddIndex(
            model_name='memoryevent',
            index=django.contrib.postgres.indexes.GinIndex(condition=models.Q(('kind', 'inspection'), _negated=True), fields=['data'], name='memory_event_named', opclasses=['jsonb_path_ops']),
        ),
        migrations.AddIndex(
            model_name='memorylink',
            index=models.Index(condition=models.Q(('lent', True)), fields=['user', 'space'], name='memory_link_lent'),
        ),
        migrations.AddConstraint(
            model_name='memorylink',
            constraint=models.UniqueConstraint(fields=('user', 'space', 'memory'), name='memory_link_unique'),
        ),
        migrations.AddConstraint(
            model_name='memorypolicy',
            constraint=models.CheckConstraint(condition=models.Q(('ranking__in', ('chat', 'chat_literal', 'fused', 'ranked', 'strict_semantic'))), name='memory_policy_ranking_known'),
        ),
        migrations.AddConstraint(
            model_name='memorypolicy',
            constraint=models.CheckConstraint(condition=models.Q(('api_ranking__in', ('chat', 'chat_literal', 'fused', 'ranked', 'strict_semantic'))), name='memory_policy_api_ranking_known'),
        ),
        migrations.AddConstraint(
            model_name='memorypolicy',
            constraint=models.CheckConstraint(condition=models.Q(('decay_half_life__gte', 1)), name='memory_policy_decay_half_life_positive'),
        ),
        migrations.AddConstraint(
            model_name='memorypolicy',
            constraint=models.CheckConstraint(condition=models.Q(('keep_per_user__gte', 1)), name='memory_policy_keep_per_user_positive'),
        ),
        migrations.AddConstraint(
            model_name='memorypolicy',
            constraint=models.CheckConstraint(condition=models.Q(('time_to_live_days__gte', 1)), name='memory_policy_time_to_live_positive'),
        ),
        migrations.AddConstraint(
            model_name='memorypolicy',
            constraint=models.CheckConstraint(condition=models.Q(('keep_lore__gte', 1)), name='memory_policy_keep_lore_positive'),
        ),
        migrations.AddConstraint(
            model_name='memorypolicy',
            constraint=models.CheckConstraint(condition=models.Q(('journal__in', ['never', 'ingested', 'all'])), name='memory_policy_journal_known'),
        ),
        migrations.AddConstraint(
            model_name='memorypolicy',
            constraint=models.CheckConstraint(condition=models.Q(('background_capture__in', ['never', 'api', 'always'])), name='memory_policy_background_capture_known'),
        ),
        migrations.AddIndex(
            model_name='memorystatement',
            index=models.Index(fields=['message_id'], name='memory_statement_message'),
        ),
        migrations.AddConstraint(
            model_name='memorystatement',
            constraint=models.UniqueConstraint(fields=('memory', 'message_id'), name='memory_statement_unique', nulls_distinct=False),
        ),
        migrations.AddIndex(
            model_name='profilefact',
            index=models.Index(fields=['user', 'space', 'category', 'key'], name='memory_profile_fact_key'),
        ),
        migrations.AddConstraint(
            model_name='profilefact',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('active', True), ('retired_at__isnull', True), ('retired_reason', '')), models.Q(('active', False), ('retired_at__isnull', False), ('retired_reason__in', ['superseded', 'archived', 'retracted'])), _connector='OR'), name='memory_profilefact_active_unless_retired'),
        ),
        migrations.AddConstraint(
            model_name='profilefact',
            constraint=models.UniqueConstraint(condition=models.Q(('active', True)), fields=('user', 'space', 'category', 'key'), name='memory_profile_fact_one_active'),
        ),
        migrations.AddConstraint(
            model_name='profilefact',
            constraint=models.CheckConstraint(condition=models.Q(('category__in', ['identity', 'preference', 'constraint', 'instruction'])), name='memory_profile_fact_category_known'),
        ),
    ]
