"""hasattr calls __getattr__ for the same name."""

import copy


class Wrapper:
    def __init__(self, model):
        self.inner = model

    def __getattr__(self, name):
        if hasattr(self, "inner"):
            return getattr(self.inner, name)
        raise AttributeError(name)


copy.copy(Wrapper(object()))
