from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0009_jobs")]

    operations = [
        migrations.RemoveConstraint("memorypolicy", "memory_policy_profile_known"),
        migrations.RenameField("memorypolicy", "recall_profile", "ranking"),
        migrations.AddConstraint(
            "memorypolicy",
            models.CheckConstraint(
                condition=models.Q(ranking__in=["chat", "chat_literal", "fused"]),
                name="memory_policy_ranking_known",
            ),
        ),
    ]
