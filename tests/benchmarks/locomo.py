"""A tiny conversation in LoCoMo's format, made up, with malformed evidence."""

import json
from pathlib import Path

TINY = [
    {
        "sample_id": "made up 1",
        "conversation": {
            "speaker_a": "Ola",
            "speaker_b": "Ewa",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ola", "dia_id": "D1:1", "text": "I adopted a parrot."},
                {
                    "speaker": "Ewa",
                    "dia_id": "D1:2",
                    "text": "I repaired my violin.",
                    "blip_caption": "a photo of a violin",
                },
            ],
            "session_2_date_time": "10:04 am on 19 June, 2023",
            "session_2": [
                {"speaker": "Ola", "dia_id": "D2:1", "text": "The parrot is called Kubus."},
                {"speaker": "Ewa", "dia_id": "D2:2", "text": "I sold the old bicycle."},
            ],
            "session_3_date_time": "10:04 am on 20 July, 2023",
        },
        "qa": [
            {"question": "What did Ola adopt?", "answer": "a parrot", "evidence": ["D1:1"], "category": 4},
            {"question": "What is the parrot called, and who adopted it?", "answer": "Kubus", "evidence": ["D1:1; D2:01"], "category": 1},
            {"question": "When did Ewa sell the bicycle?", "answer": "in June", "evidence": ["D2:2", "D9:99"], "category": 2},
            {"question": "Who repaired a violin?", "answer": "Ewa", "evidence": ["D:1:2"], "category": 3},
            {"question": "What colour is it?", "answer": "unknown", "evidence": [], "category": 4},
            {"question": "Did Ewa adopt a parrot?", "adversarial_answer": "no", "evidence": ["D1:1"], "category": 5},
            {"question": "Without evidence?", "category": 5},
        ],
        "observation": {
            "session_1_observation": {
                "Ola": [["Ola adopted a parrot.", "D1:1"]],
                "Ewa": [["Ewa repaired her violin.", ["D1:2"]], ["Ewa repaired her violin!", "D1:2"]],
            },
            "session_2_observation": {
                "Ola": [["Ola's parrot is called Kubus.", "D2:1"], ["Ola adopted a parrot.", "D2:1"]],
                "Ewa": [["Ewa sold her old bicycle.", "D2:2"], ["", "D2:2"]],
            },
        },
        "session_summary": {
            "session_1_summary": "Ola adopted a parrot and Ewa repaired her violin. " + "They talked. " * 60,
            "session_2_summary": "Ola's parrot is called Kubus, and Ewa sold her bicycle.",
            "session_9_summary": "A session that does not exist.",
        },
    },
    {
        "sample_id": "made up 2",
        "conversation": {
            "speaker_a": "Jan",
            "speaker_b": "Iga",
            "session_1_date_time": "9:00 am on 1 March, 2024",
            "session_1": [
                {"speaker": "Jan", "dia_id": "D1:1", "text": "I bake bread every Sunday."},
                {"speaker": "Iga", "dia_id": "D1:2", "text": "I climb mountains in Peru."},
            ],
        },
        "qa": [
            {"question": "What does Jan bake?", "answer": "bread", "evidence": ["D1:1"], "category": 4},
        ],
        "observation": {
            "session_1_observation": {
                "Jan": [["Jan bakes bread every Sunday.", "D1:1"]],
                "Iga": [["Iga climbs mountains in Peru.", "D1:2"]],
            },
        },
        "session_summary": {"session_1_summary": "Jan bakes bread, Iga climbs mountains."},
    },
]  # fmt: skip


def write(folder: Path) -> Path:
    """The file."""
    path = folder / "tiny.json"
    path.write_text(json.dumps(TINY))
    return path
