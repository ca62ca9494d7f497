"""What tests share: drivers for programs, makers of positions and rule sets."""
