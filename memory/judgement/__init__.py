"""What a sentence means, judged by examples (docs/judgement.md)."""
