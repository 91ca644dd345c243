"""The one place that states the version; hatchling reads it, so nothing is imported to build."""

__version__ = "0.1.0"
