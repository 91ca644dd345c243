"""Detour recognises PyTorch errors in logs, marks the line that raised them, and applies the repair that works."""
