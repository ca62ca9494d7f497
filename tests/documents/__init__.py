"""A test per sentence of the five rule documents; docs/rules.md has the table of them."""
