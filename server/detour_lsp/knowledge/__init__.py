"""What is known: records, how they are loaded, versions and languages."""
