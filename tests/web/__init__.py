"""Tests of the server from outside: real processes, real databases, real sockets."""
