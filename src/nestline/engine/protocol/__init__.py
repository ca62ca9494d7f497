"""UGI in both directions: our engine for other programs, and other programs as players."""
