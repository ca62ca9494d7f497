"""UGI both ways: our engine for other programs, and other programs as players."""
