"""Spanish dates with a comma before the time: 22 de noviembre de 2026, 14:05."""

DATETIME_FORMAT = r"j \d\e F \d\e Y, H:i"
