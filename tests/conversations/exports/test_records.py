"""Health records are read to facts, previewed, and nothing else of them is kept."""

import json

import pytest

from conversations.attachments.extraction import Unreadable
from conversations.attachments.extraction.assistant_exports import reduce_export
from conversations.health_facts import health_facts
from memory.subjects import USER
from memory.wording.measured import measures_of
from tests.conversations.exports import records
from tests.conversations.exports.shapes import of


@pytest.fixture
def record_of(tmp_path):
    def record_of(text):
        source = tmp_path / "input"
        source.write_bytes(text if isinstance(text, bytes) else text.encode())
        record = reduce_export(source, tmp_path, {})["record"]
        assert record["known"]
        return record

    return record_of


def facts_of(record):
    return {fact.candidate.text for fact in health_facts(record["lines"], USER)}


@pytest.mark.parametrize(
    ("text", "facts", "left"),
    [
        (records.FHIR, records.FHIR_FACTS, 5),
        (records.CDA, records.CDA_FACTS, 2),
        (records.APPLE, records.APPLE_FACTS, 3),
        (
            of(
                {
                    "IHE_XDM/LEO1/DOC0001.XML": records.CDA,
                    "IHE_XDM/LEO1/DOC0002.XML": records.CDA,
                    "IHE_XDM/LEO1/METADATA.XML": "<Submit/>",
                    "README.TXT": "A record.",
                }
            ),
            records.CDA_FACTS,
            4,
        ),
        (
            json.dumps(records.RESOURCES[-1]),
            {"User was vaccinated: MMR on 2020-04-09"},
            0,
        ),
        (
            of(
                {
                    "apple_health_export/export.xml": records.APPLE,
                    "apple_health_export/export_cda.xml": records.CDA,
                    "apple_health_export/clinical-records/A.json": json.dumps(
                        records.RESOURCES[2]
                    ),
                }
            ),
            records.APPLE_FACTS | {"User is allergic to Penicillin V (Hives)"},
            3,
        ),
    ],
)
def test_record_is_read_to_lines(text, facts, left, record_of):
    record = record_of(text)
    assert facts_of(record) == facts
    assert record["left"].get("other", 0) == left


def test_results_are_dated_values_with_units():
    lines = records.FHIR_FACTS | records.CDA_FACTS | records.APPLE_FACTS
    told = {measure.kind for text in lines for measure in measures_of(text)}
    assert told >= {"hemoglobin", "glucose", "weight", "pressure"}


def test_section_without_entries_is_told(record_of):
    assert record_of(records.CDA)["left"]["narrative"] == 1


def test_newest_results_are_kept_of_very_many(record_of):
    results = [
        records.RESOURCES[10] | {"effectiveDateTime": f"20{n // 12:02}-{n % 12 + 1:02}"}
        for n in range(700)
    ]
    record = record_of(json.dumps(records.bundle(*results, records.RESOURCES[2])))
    assert len(record["lines"]) == 500
    assert record["lines"][0]["kind"] == "allergy"
    assert record["left"]["older"] == len(results) + 1 - 500


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (records.BOMB + records.APPLE.partition("]>")[2], "hostile"),
        (records.BOMB + records.CDA.partition("?>\n")[2], "hostile"),
        (records.OUTSIDE + records.CDA.partition("?>\n")[2], "hostile"),
        (records.APPLE[:-20], "broken"),
        (records.CDA[:-20], "broken"),
        (
            json.dumps(
                records.bundle(
                    records.PATIENT, records.PATIENT | {"birthDate": "1980-01-01"}
                )
            ),
            "several_people",
        ),
    ],
)
def test_hostile_and_damaged_records_are_refused(text, told, record_of):
    with pytest.raises(Unreadable, match=told):
        record_of(text)
