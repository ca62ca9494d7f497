"""What tests share: drivers for programs, and generators of positions and rule sets."""
