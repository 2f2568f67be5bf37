"""German dates with a comma before the time: 22. November 2026, 14:05."""

DATETIME_FORMAT = "j. F Y, H:i"
