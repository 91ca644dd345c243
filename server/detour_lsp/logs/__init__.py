"""Text to incidents: cleaning, matching, tracebacks, following."""
