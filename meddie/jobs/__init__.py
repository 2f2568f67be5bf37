"""Jobs as rows: `job` is one, `registry` has their tables and says what happens."""
