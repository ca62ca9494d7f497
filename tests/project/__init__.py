"""The project itself: import directions, documentation."""
