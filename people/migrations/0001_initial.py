import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='User',
            fields=[
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('email', models.EmailField(max_length=254, unique=True, verbose_name='email address')),
                ('name', models.CharField(blank=True, max_length=255, verbose_name='name')),
                ('locale', models.CharField(choices=[('en', 'English'), ('pl', 'polski')], default='en', max_length=2, verbose_name='language')),
                ('time_zone', models.CharField(default='UTC', max_length=64, verbose_name='time zone')),
                ('units', models.CharField(blank=True, choices=[('', 'as in my browser'), ('metric', 'kilograms and centimetres'), ('imperial', 'pounds, feet and inches')], default='', max_length=8, verbose_name='units')),
                ('memory_on', models.BooleanField(default=True, help_text='When off, nothing is remembered and nothing is brought back.', verbose_name='remember what I tell Meddie')),
                ('instructions', models.TextField(blank=True, help_text='Such as the tone, the length, or what to keep in mind. It holds for your own conversations in all spaces; no other member sees it.', max_length=1500, verbose_name='How should Meddie answer?')),
                ('is_active', models.BooleanField(default=True, verbose_name='active')),
                ('is_staff', models.BooleanField(default=False, verbose_name='may use the admin')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='joined')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
            },
        ),
        migrations.CreateModel(
            name='DeletedUser',
            fields=[
                ('id', models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ('deleted_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'verbose_name_plural': 'deleted users',
            },
        ),
        migrations.CreateModel(
            name='Erasure',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('space', 'Space'), ('membership', 'Membership'), ('content', 'Content')], max_length=16)),
                ('user', models.UUIDField(null=True)),
                ('space', models.UUIDField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'verbose_name_plural': 'erasures',
            },
        ),
        migrations.CreateModel(
            name='Space',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=255, verbose_name='name')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('memory_page', models.BooleanField(default=False, help_text='On this page they can search, edit and forget what they told Meddie. Under each reply they see which of it was used. Members see only their own.', verbose_name='Show members what Meddie remembers about them')),
            ],
            options={
                'verbose_name': 'space',
                'verbose_name_plural': 'spaces',
            },
        ),
        migrations.CreateModel(
            name='Person',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=255, verbose_name='name')),
                ('sex', models.CharField(blank=True, choices=[('female', 'female'), ('male', 'male'), ('', 'prefer not to say')], max_length=6, verbose_name='sex')),
                ('date_of_birth', models.DateField(blank=True, null=True, verbose_name='date of birth')),
                ('height_cm', models.DecimalField(blank=True, decimal_places=1, max_digits=4, null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='height in cm')),
                ('weight_kg', models.DecimalField(blank=True, decimal_places=1, max_digits=4, null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='weight in kg')),
                ('health_notes', models.TextField(blank=True, validators=[django.core.validators.MaxLengthValidator(50000)], verbose_name='health notes')),
                ('supplements', models.TextField(blank=True, validators=[django.core.validators.MaxLengthValidator(50000)], verbose_name='supplements')),
                ('medications', models.TextField(blank=True, validators=[django.core.validators.MaxLengthValidator(50000)], verbose_name='medications')),
                ('position', models.PositiveIntegerField(default=0, verbose_name='position')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('updated_at', models.DateTimeField(auto_now=True, verbose_name='updated')),
                ('deleted_at', models.DateTimeField(blank=True, help_text='Admins of the space can restore the person for 30 days.', null=True, verbose_name='deleted')),
                ('user', models.ForeignKey(blank=True, limit_choices_to={'external': None}, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='people', to=settings.AUTH_USER_MODEL, verbose_name='linked account')),
                ('space', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='people', to='people.space')),
            ],
            options={
                'verbose_name': 'person',
                'verbose_name_plural': 'people',
            },
        ),
        migrations.CreateModel(
            name='ProfileUpdate',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('field', models.CharField(choices=[('health_notes', 'Health notes'), ('supplements', 'Supplements'), ('medications', 'Medications')], max_length=16)),
                ('action', models.CharField(choices=[('append', 'added'), ('remove', 'removed'), ('edit', 'edited')], max_length=8)),
                ('text', models.TextField(blank=True)),
                ('previous_value', models.TextField(blank=True)),
                ('new_value', models.TextField(blank=True, help_text='Undo refuses when the field no longer reads this.')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('reverted_at', models.DateTimeField(blank=True, null=True, verbose_name='reverted')),
                ('author', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='profile_updates', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='profile_updates', to='people.person')),
            ],
            options={
                'verbose_name': 'profile update',
                'verbose_name_plural': 'profile updates',
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('role', models.CharField(choices=[('admin', 'admin'), ('member', 'member')], default='member', max_length=16, verbose_name='role')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('user', models.ForeignKey(limit_choices_to={'external': None}, on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                ('space', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='people.space')),
            ],
            options={
                'verbose_name': 'membership',
                'verbose_name_plural': 'memberships',
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('token_hash', models.CharField(max_length=64)),
                ('expires_at', models.DateTimeField(verbose_name='expires')),
                ('used_at', models.DateTimeField(blank=True, null=True, verbose_name='used')),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('email', models.EmailField(max_length=254, verbose_name='email address')),
                ('role', models.CharField(choices=[('admin', 'admin'), ('member', 'member')], default='member', max_length=16, verbose_name='role')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('invited_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='invitations_sent', to=settings.AUTH_USER_MODEL)),
                ('space', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='people.space')),
            ],
            options={
                'verbose_name': 'invitation',
                'verbose_name_plural': 'invitations',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='ExternalUser',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('external_id', models.CharField(max_length=255, verbose_name='ID at the proxy')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='first seen')),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='external', to=settings.AUTH_USER_MODEL)),
                ('space', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='external_users', to='people.space')),
            ],
            options={
                'verbose_name': 'external user',
                'verbose_name_plural': 'external users',
            },
        ),
        migrations.CreateModel(
            name='ApiKey',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(blank=True, max_length=100, verbose_name='name')),
                ('prefix', models.CharField(max_length=16, verbose_name='begins with')),
                ('hash', models.CharField(max_length=64)),
                ('trusted_proxy', models.BooleanField(default=False, help_text='May name other users by header.', verbose_name='trusted proxy')),
                ('calls_per_minute', models.PositiveIntegerField(default=600, verbose_name='calls per minute')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('last_used_at', models.DateTimeField(blank=True, null=True, verbose_name='last used')),
                ('revoked_at', models.DateTimeField(blank=True, null=True, verbose_name='revoked')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_keys', to=settings.AUTH_USER_MODEL)),
                ('space', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_keys', to='people.space')),
            ],
            options={
                'verbose_name': 'API key',
                'verbose_name_plural': 'API keys',
            },
        ),
        migrations.CreateModel(
            name='EmailChange',
            fields=[
                ('token_hash', models.CharField(max_length=64)),
                ('expires_at', models.DateTimeField(verbose_name='expires')),
                ('used_at', models.DateTimeField(blank=True, null=True, verbose_name='used')),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='email_change', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('email', models.EmailField(max_length=254, verbose_name='email address')),
            ],
            options={
                'verbose_name': 'change of address',
                'verbose_name_plural': 'changes of address',
                'abstract': False,
                'constraints': [models.UniqueConstraint(fields=('token_hash',), name='people_emailchange_token_unique')],
            },
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('email'), name='people_user_email_unique'),
        ),
        migrations.AddIndex(
            model_name='profileupdate',
            index=models.Index(fields=['person', '-created_at'], name='people_profileupdate_newest'),
        ),
        migrations.AddConstraint(
            model_name='profileupdate',
            constraint=models.CheckConstraint(condition=models.Q(('field__in', ['health_notes', 'supplements', 'medications'])), name='people_profileupdate_field_known'),
        ),
        migrations.AddConstraint(
            model_name='profileupdate',
            constraint=models.CheckConstraint(condition=models.Q(('action__in', ['append', 'remove', 'edit'])), name='people_profileupdate_action_known'),
        ),
        migrations.AddIndex(
            model_name='person',
            index=models.Index(fields=['space', 'position', 'name'], name='people_person_order'),
        ),
        migrations.AddConstraint(
            model_name='person',
            constraint=models.UniqueConstraint(condition=models.Q(('deleted_at__isnull', True), ('user__isnull', False)), fields=('user', 'space'), name='people_person_user_space_unique', violation_error_message='This account is already linked to another person in this space.'),
        ),
        migrations.AddConstraint(
            model_name='person',
            constraint=models.CheckConstraint(condition=models.Q(('sex__in', ['female', 'male', ''])), name='people_person_sex_known'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(fields=('user', 'space'), name='people_membership_user_space_unique'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['admin', 'member'])), name='people_membership_role_known'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.UniqueConstraint(fields=('token_hash',), name='people_invitation_token_unique'),
        ),
        migrations.AddConstraint(
            model_name='externaluser',
            constraint=models.UniqueConstraint(fields=('space', 'external_id'), name='people_externaluser_space_id_unique'),
        ),
        migrations.AddConstraint(
            model_name='apikey',
            constraint=models.UniqueConstraint(fields=('hash',), name='people_apikey_hash_unique'),
        ),
    ]
