"""Deep-copying a plain wrapper: __init__ has not run on the copy."""
import copy

import torch


class Proxy:
    def __init__(self, inner):
        self.inner = inner

    def __getattr__(self, name):
        return getattr(self.inner, name)


print(type(copy.deepcopy(Proxy(torch.nn.Linear(2, 2)))))
