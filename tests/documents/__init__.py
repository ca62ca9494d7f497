"""A test per sentence of the five rule documents, listed in docs/contribute/traceability.md."""
