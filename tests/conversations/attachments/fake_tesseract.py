"""A tesseract that says what a test wants; without a process of its own."""

from pathlib import Path

COLUMNS = (
    *("level", "page_num", "block_num", "par_num", "line_num", "word_num"),
    *("left", "top", "width", "height", "conf", "text"),
)
SURE = 96


def install(
    folder: Path,
    *words: tuple[int, int, str] | tuple[int, int, str, int],
    turn: int = 0,
) -> str:
    """Words at places from the top left, with a confidence; the path to look in.

    In words `$NAME` is what the environment holds.
    """
    rows = ["\t".join(COLUMNS)]
    for left, top, text, *confidence in words:
        sure = confidence[0] if confidence else SURE
        place = (left, top, 10 * len(text), 20, sure, text)
        rows.append("\t".join(map(str, (5, 1, 1, 1, top, 1, *place))))
    table = "\n".join(rows)
    program = folder / "tesseract"
    program.write_text(
        '#!/bin/sh\ncase "$*" in --list-langs) echo eng; echo pol;;'
        f' *"-l osd"*) echo "Rotate: {turn}";; *) printf "%s\\n" "{table}";; esac\n'
    )
    program.chmod(0o755)
    return str(folder)
