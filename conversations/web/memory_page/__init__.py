"""The page on which users see, correct and forget what Meddie remembers of them."""
