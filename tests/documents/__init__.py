"""A test per sentence of the five rule documents; docs/play/rules.md has the table of them."""
