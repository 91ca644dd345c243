"""Python files to findings and edits."""
