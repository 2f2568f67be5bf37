from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0003_provenance"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="memorypolicy",
            name="memory_policy_profile_known",
        ),
        migrations.AlterField(
            model_name="memorypolicy",
            name="recall_profile",
            field=models.CharField(
                choices=[
                    ("chat", "chat, calibrated for the embedding model"),
                    ("chat_literal", "chat, to the letter of the document"),
                    ("fused", "fused, with speakers, neighbours and sessions"),
                ],
                default="chat",
                max_length=16,
                verbose_name="ranking of facts",
            ),
        ),
        migrations.AddConstraint(
            model_name="memorypolicy",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("recall_profile__in", ["chat", "chat_literal", "fused"])
                ),
                name="memory_policy_profile_known",
            ),
        ),
    ]
