"""The game in the terminal: the session, its screen, and the computer as the opponent."""
