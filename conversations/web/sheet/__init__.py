"""A sheet for a doctor: what a user ticks, printed or shared by a link (decision 54)."""
