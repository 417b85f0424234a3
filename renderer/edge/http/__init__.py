"""A small HTTP server: one request a connection, and a limit on everything that somebody else decides."""
