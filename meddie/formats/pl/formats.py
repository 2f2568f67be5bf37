"""Polish dates with a comma before the time: 22 listopada 2026, 14:05."""

DATETIME_FORMAT = "j E Y, H:i"
