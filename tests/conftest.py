"""What holds for all tests."""

from hypothesis import settings

# How long an example takes says nothing on a machine that does other things as well; speed is measured by `bench/`.
settings.register_profile("detour", deadline=None)
settings.load_profile("detour")
