"""What papers say is read whole, and what was not read is said."""

import io
import json
from email.message import EmailMessage

import pillow_heif
import pytest
from PIL import Image

from conversations.attachments.extraction import (
    CALENDAR,
    CARD,
    DOCX,
    MAIL,
    PDF,
    PLAIN,
    PPTX,
    RTF,
    XLSX,
    XML,
    Unreadable,
)
from conversations.attachments.extraction.run_child import extract_pieces
from tests.conversations.attachments import documents
from tests.conversations.attachments.documents import (
    DRAWING,
    MAIN,
    OFFICE,
    PAGE,
    RELATIONS,
    SHEETS,
    SLIDES,
    WORD,
    numbered,
    package,
)

COMPATIBILITY = "http://schemas.openxmlformats.org/markup-compatibility/2006"


def read(data, content_type):
    return extract_pieces(io.BytesIO(data), content_type)


def lines(data, content_type):
    found = read(data, content_type)
    return [line for piece in found.pieces for line in piece.text.splitlines()]


def relations(*told):
    return (
        f'<Relationships xmlns="{RELATIONS}">'
        + "".join(
            f'<Relationship Id="r{n}" Type="{OFFICE}/{kind}" Target="{target}"/>'
            for n, (kind, target) in enumerate(told)
        )
        + "</Relationships>"
    )


def words(text, style=""):
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def word_file(body, around=(), main="word/document2.xml"):
    """`around` has the kind, name and content of other parts."""
    space = f'xmlns:w="{WORD}" xmlns:mc="{COMPATIBILITY}"'
    files = {
        main: f"<w:document {space}><w:body>{body}</w:body></w:document>",
        "word/_rels/document2.xml.rels": relations(
            *((kind, f"{name}.xml") for kind, name, _content in around)
        ),
        **{
            f"word/{name}.xml": f"<w:x {space}>{content}</w:x>"
            for _kind, name, content in around
        },
    }
    return package(main, f"{MAIN}.wordprocessingml.document.main+xml", files)


class TestWord:
    def test_headers_notes_and_comments_come_once(self):
        around = [
            ("header", "header1", words("Patient: A. B., born 1971")),
            ("header", "header2", words("Patient: A. B., born 1971")),
            ("footnotes", "footnotes", words("since May")),
            (
                "comments",
                "comments",
                f'<w:comment w:author="Dr. C">{words("Check the dose")}</w:comment>',
            ),
        ]
        assert lines(word_file(words("Dose: 250 mg"), around), DOCX) == [
            "Patient: A. B., born 1971",
            "Dose: 250 mg",
            "since May",
            "[comment Dr. C] Check the dose",
        ]

    def test_text_box_and_moved_line_come_once(self):
        box = f"<w:txbxContent>{words('Take with food')}</w:txbxContent>"
        body = (
            f"<w:p><w:r><mc:AlternateContent><mc:Choice>{box}</mc:Choice>"
            f"<mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r>"
            "<w:r><w:t>Plan</w:t></w:r></w:p>"
            "<w:p><w:moveFrom><w:r><w:t>Moved line</w:t></w:r></w:moveFrom></w:p>"
            "<w:p><w:moveTo><w:r><w:t>Moved line</w:t></w:r></w:moveTo></w:p>"
            "<w:p><w:del><w:r><w:delText>500 mg</w:delText></w:r></w:del>"
            "<w:ins><w:r><w:t>250 mg</w:t></w:r></w:ins></w:p>"
        )
        assert sorted(lines(word_file(body), DOCX)) == [
            "250 mg",
            "Moved line",
            "Plan",
            "Take with food",
        ]


def sheet_file(cells, styles="", name="workbook"):
    files = {
        f"xl/{name}.xml": f'<workbook xmlns="{SHEETS}" xmlns:r="{OFFICE}"><sheets>'
        '<sheet name="Lab" sheetId="1" r:id="r0"/></sheets></workbook>',
        f"xl/_rels/{name}.xml.rels": relations(
            ("worksheet", "worksheets/s.xml"), ("styles", "styles.xml")
        ),
        "xl/styles.xml": f'<styleSheet xmlns="{SHEETS}">{styles}</styleSheet>',
        "xl/worksheets/s.xml": f'<worksheet xmlns="{SHEETS}"><sheetData>{cells}'
        "</sheetData></worksheet>",
    }
    return package(f"xl/{name}.xml", f"{MAIN}.spreadsheetml.sheet.main+xml", files)


def test_numbers_of_a_sheet_are_as_it_shows_them():
    styles = (
        '<numFmts><numFmt numFmtId="170" formatCode="0.0%"/></numFmts><cellXfs>'
        '<xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="170"/><xf numFmtId="14"/>'
        "</cellXfs>"
    )
    cells = (
        '<row r="3"><c r="C3" t="str"><v>Haematocrit</v></c><c r="D3" s="1"><v>0.42</v></c>'
        '<c r="E3" s="2"><v>0.0715</v></c><c r="F3"><v>5</v></c>'
        '<c r="G3" s="3"><v>45761</v></c></row>'
    )
    found = lines(sheet_file(cells, styles), XLSX)
    assert found == ["Haematocrit, 42%, 7.15%, 5, 2025-04-14"]


@pytest.mark.parametrize(
    ("name", "place"),
    [("workbook", "sheet Lab, rows 3-4"), ("workbook2", "sheet Lab, rows 3-4")],
)
def test_title_is_above_the_head_of_a_table(name, place):
    rows = [["Plan of Ann"], ["Medicine", "Dose", "Since"]]
    rows += [["Ramipril", "5 mg", "May"], ["Metformin", "850 mg", "June"]]
    cells = "".join(
        f'<row r="{y}">'
        + "".join(
            f'<c r="{column}{y}" t="str"><v>{text}</v></c>'
            for column, text in zip("ABC", row, strict=False)
        )
        + "</row>"
        for y, row in enumerate(rows, start=1)
    )
    assert read(sheet_file(cells, name=name), XLSX).pieces == [
        ("Plan of Ann", "sheet Lab"),
        ("Medicine, Dose, Since\nRamipril, 5 mg, May\nMetformin, 850 mg, June", place),
    ]


@pytest.mark.parametrize("rows", [[600], [600, 9], [9, 9000]])
def test_long_rows_are_read_whole(rows):
    table = "\n".join("ab;" * (length // 3) for length in rows)
    assert sum(map(len, lines(table.encode(), "text/csv"))) >= sum(rows)


def test_formula_without_its_result_is_said():
    cells = (
        '<row r="1"><c r="A1" t="str"><v>Sum</v></c></row>'
        '<row r="2"><c r="A2"><f>SUM(B1:B9)</f></c><c r="B2"><f>A1</f><v/></c></row>'
    )
    assert read(sheet_file(cells), XLSX).unread == [("sheet Lab, A2, B2", "formula")]


def test_notes_of_a_slide_and_rows_of_its_tables_are_read():
    def slide(text):
        return (
            f'<p:sld xmlns:p="{SLIDES}" xmlns:a="{DRAWING}">{paragraph(text)}</p:sld>'
        )

    def paragraph(text):
        return f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>"

    cells = "".join(f"<a:tc>{paragraph(text)}</a:tc>" for text in ("Noon", "4 IU"))

    files = {
        "ppt/presentation.xml": "<p/>",
        "ppt/slides/slide1.xml": slide("Insulin").replace(
            "</p:sld>", f"<a:tr>{cells}</a:tr></p:sld>"
        ),
        "ppt/slides/_rels/slide1.xml.rels": relations(
            ("notesSlide", "../notesSlides/notesSlide1.xml")
        ),
        "ppt/notesSlides/notesSlide1.xml": slide("Ten units"),
    }
    kind = f"{MAIN}.presentationml.presentation.main+xml"
    found = read(package("ppt/presentation.xml", kind, files), PPTX)
    assert found.pieces == [
        ("Insulin\nNoon, 4 IU", "slide 1"),
        ("Ten units", "slide 1, notes"),
    ]


def form():
    """A filled form: three texts, two boxes, a list, an empty field and a note."""

    def field(name, box, rest):
        kind = "/Type /Annot /Subtype /Widget"
        return f"<< {kind} /T ({name}) /Rect [{box}] /P 4 0 R {rest} >>"

    states = "/AP << /N << /Yes 13 0 R /Off 13 0 R >> >>"
    fields = " ".join(f"{number} 0 R" for number in range(6, 12)) + " 14 0 R"
    text = (
        "BT /F1 12 Tf 72 700 Td (Known allergies:) Tj 0 -30 Td (Current medicines:) Tj"
        " 0 -30 Td (Pregnant:) Tj 120 0 Td (yes) Tj 80 0 Td (no) Tj"
        " -200 -120 Td (Ferritin) Tj 200 0 Td (ng/ml) Tj ET"
    )
    fonts = "<< /Font << /F1 3 0 R >> >>"
    return numbered(
        [
            (
                f"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [{fields}]"
                f" /DA (/F1 12 Tf) /DR {fonts} >> >>"
            ),
            "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            f"{PAGE} {fonts} /Contents 5 0 R /Annots [{fields} 12 0 R] >>",
            f"<< /Length {len(text)} >>\nstream\n{text}\nendstream",
            field("T1", "200 695 500 712", "/FT /Tx /V (cefuroxime, hives in 2019)"),
            field("T2", "200 665 500 682", "/FT /Tx /V (tacrolimus 2 mg)"),
            field("B1", "170 638 182 652", f"/FT /Btn /V /Yes /AS /Yes {states}"),
            field("B2", "250 638 262 652", f"/FT /Btn /V /Off /AS /Off {states}"),
            field(
                "L",
                "200 600 300 620",
                "/FT /Ch /TU (Blood group) /Opt [(0) (A)] /V (A) /I [1]",
            ),
            field("T3", "200 560 300 580", "/FT /Tx"),
            "<< /Type /Annot /Subtype /Text /Rect [72 500 90 520] /Contents (Call back) >>",
            (
                "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 0 >>\n"
                "stream\n\nendstream"
            ),
            field("T4", "150 515 250 535", "/FT /Tx /V (9)"),
        ]
    )


def test_filled_form_is_read_with_its_labels():
    assert lines(form(), PDF) == [
        "Known allergies: cefuroxime, hives in 2019",
        "Current medicines: tacrolimus 2 mg",
        "Pregnant:  yes  no",
        "Ferritin: 9 ng/ml",
        "Pregnant: yes: ✓",
        "Blood group: A",
        "Call back",
    ]


LAB = [
    (50, ["Test", "Ferritin", "TSH", "Vitamin D"]),
    (150, ["Result", "12", "2.4", "18"]),
    (220, ["Unit", "ng/ml", "mU/l", "ng/ml"]),
    (300, ["Reference", "15-150", "0.4-4.0", "30-100"]),
]
LAB_LINES = [
    "Test  Result  Unit  Reference",
    "Ferritin  12  ng/ml  15-150",
    "TSH  2.4  mU/l  0.4-4.0",
    "Vitamin D  18  ng/ml  30-100",
]
LEFT = ["She came with dizziness and was", "tired for three weeks, she takes"] * 3
RIGHT = ["The thyroid was without nodules,", "we recommend a diet rich in iron"] * 3


@pytest.mark.parametrize(
    ("words", "turn", "read_lines"),
    [
        (  # drawn column by column
            [
                (x, 50 + 14 * n, cell)
                for x, column in LAB
                for n, cell in enumerate(column)
            ],
            0,
            LAB_LINES,
        ),
        (  # not quite on one line
            [
                (x, 50 + 14 * n + x % 3, cell)
                for x, column in LAB
                for n, cell in enumerate(column)
            ],
            0,
            LAB_LINES,
        ),
        (
            [
                (x, 50 + 14 * n, cell)
                for x, column in LAB
                for n, cell in enumerate(column)
            ],
            90,
            LAB_LINES,
        ),
        (  # letters drawn one by one
            [
                (50, 50, "D"),
                (56.5, 50, "o"),
                (61.5, 50, "s"),
                (66, 50, "e"),
                (90, 50, "5"),
            ],
            0,
            ["Dose  5"],
        ),
        (  # cells of several lines
            [
                *((50, 50, "Metoprolol 47.5 mg"), (50, 61, "prolonged release")),
                *(
                    (200, 50, "1-0-1"),
                    (300, 50, "with breakfast"),
                    (300, 61, "and dinner"),
                ),
                *((50, 80, "Ramipril 5 mg"), (200, 80, "1-0-0"), (300, 80, "morning")),
                *((50, 99, "Insulin"), (200, 99, "0-0-1"), (300, 99, "night")),
            ],
            0,
            [
                "Metoprolol 47.5 mg prolonged release  1-0-1  with breakfast and dinner",
                "Ramipril 5 mg  1-0-0  morning",
                "Insulin  0-0-1  night",
            ],
        ),
        (  # two columns of prose below a line over both
            [
                (
                    50,
                    40,
                    "Discharge letter of the heart centre for her general practitioner",
                ),
                *((50, 60 + 12 * n, text) for n, text in enumerate(LEFT)),
                *((250, 60 + 12 * n, text) for n, text in enumerate(RIGHT)),
            ],
            0,
            [
                "Discharge letter of the heart centre for her general practitioner",
                *LEFT,
                *RIGHT,
            ],
        ),
    ],
)
def test_rows_of_a_page_are_lines_and_columns_of_prose_are_not_mixed(
    words, turn, read_lines
):
    mixed = sorted(words, key=lambda word: word[1:])
    for order in (words, mixed):
        assert lines(documents.placed_pdf(order, turn), PDF) == read_lines


def test_scanned_page_with_its_number_is_drawn_too():
    text = "BT /F1 9 Tf 300 20 Td (page 7) Tj ET"
    picture = "q 500 0 0 600 50 100 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q"
    found = read(documents.drawn_pdf([f"{picture} {text}", text]), PDF)
    assert [piece.place for piece in found.pieces] == ["page 1", "page 2"]
    assert set(found.pictures) == {1}


def test_pages_without_text_are_drawn_by_their_numbers():
    found = read(documents.pdf_with_pictures(["One", None, "Three", None]), PDF)
    assert [piece.place for piece in found.pieces] == ["page 1", "page 3"]
    assert set(found.pictures) == {2, 4}


def mail(*attached):
    message = EmailMessage()
    message["From"], message["To"] = "Praxis Böhm <a@x.example>", "b@x.example"
    message["Subject"] = "Befund für Käthe"
    message.set_content(
        "Bitte täglich Eisen nehmen.", charset="iso-8859-1", cte="base64"
    )
    for name, data in attached:
        message.add_attachment(
            data, maintype="application", subtype="octet-stream", filename=name
        )
    return message.as_bytes()


class TestMail:
    def test_headers_body_and_attachments_are_decoded(self):
        given = mail(("Plan.docx", word_file(words("Eisen 100 mg"))), ("w.csv", b"a;b"))
        found = read(given, MAIL)
        text = "\n".join(piece.text for piece in found.pieces)
        assert "Subject: Befund für Käthe" in text
        assert "Bitte täglich Eisen nehmen." in text
        places = {piece.place: piece.text for piece in found.pieces}
        assert places["attachment Plan.docx"] == "Eisen 100 mg"
        assert "a;b" in str(places)

    def test_attachment_that_is_not_read_is_said(self):
        picture = io.BytesIO()
        Image.new("RGB", (9, 9)).save(picture, "PNG")
        found = read(mail(("scan.png", picture.getvalue()), ("x.bin", bytes(9))), MAIL)
        assert found.unread == [
            ("attachment scan.png", "send_alone"),
            ("attachment x.bin", "unknown_type"),
        ]


@pytest.mark.parametrize(
    ("data", "content_type", "text"),
    [
        (
            rb"{\rtf1\ansi\deff0{\fonttbl{\f0 Arial;}}Allergie: P\'e9nicilline\par Dose: 20 mg}",
            RTF,
            "Allergie: Pénicilline\nDose: 20 mg",
        ),
        (
            (
                b"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Dr. B\r\n \xc3\xb6hm\r\nTEL:030 1\r\n"
                b"PHOTO;ENCODING=b:AAAA\r\n BBBB\r\nEND:VCARD"
            ),
            CARD,
            "FN:Dr. Böhm\nTEL:030 1",
        ),
        (
            (
                b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20261203T0930\r\n"
                b"SUMMARY:Cardiologist\r\nUID:1\r\nEND:VEVENT\r\nEND:VCALENDAR"
            ),
            CALENDAR,
            "DTSTART:20261203T0930\nSUMMARY:Cardiologist",
        ),
        (
            (
                b'<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"><title>Allergies'
                b"</title><text><table><tr><td>Penicillin</td><td>hives</td></tr></table></text>"
                b"</ClinicalDocument>"
            ),
            XML,
            "Allergies\nPenicillin, hives",
        ),
        (
            (
                b'<Bundle xmlns="http://hl7.org/fhir"><AllergyIntolerance><id value="a"/>'
                b'<code><text value="Latex"/></code><verificationStatus><coding>'
                b'<code value="refuted"/></coding></verificationStatus>'
                b"</AllergyIntolerance></Bundle>"
            ),
            XML,
            "code text: Latex\nverificationStatus coding code: refuted",
        ),
        (
            "Größe: 173 cm\nMüdigkeit".encode("cp1252"),
            PLAIN,
            "Größe: 173 cm\nMüdigkeit",
        ),
    ],
)
def test_formats_of_text_are_read_as_people_see_them(data, content_type, text):
    assert "\n".join(lines(data, content_type)) == text


def test_picture_of_a_phone_is_upright():
    file, exif = io.BytesIO(), Image.Exif()
    exif[0x0112] = 6  # turned by 90 degrees
    Image.new("RGB", (40, 20), "teal").save(file, "JPEG", exif=exif)
    drawn = Image.open(io.BytesIO(read(file.getvalue(), "image/jpeg").pictures[1]))
    assert drawn.size == (20, 40)


def test_heic_is_drawn():
    pillow_heif.register_heif_opener()
    file = io.BytesIO()
    Image.new("RGB", (40, 20), "teal").save(file, "HEIF")
    drawn = Image.open(io.BytesIO(read(file.getvalue(), "image/heic").pictures[1]))
    assert drawn.size == (40, 20)


def test_unsure_characters_are_told_with_samples():
    with pytest.raises(Unreadable, match="ambiguous") as raised:
        read("mañana; niño, canción".encode("cp1252"), PLAIN)
    assert "niño" in json.dumps(raised.value.samples, ensure_ascii=False)


def test_chosen_characters_are_used():
    given = io.BytesIO("mañana; niño, canción".encode("cp1252"))
    found = extract_pieces(given, PLAIN, "cp1252")
    assert found.pieces == [("mañana; niño, canción", "")]
