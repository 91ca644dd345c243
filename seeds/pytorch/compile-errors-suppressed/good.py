import contextlib

import torch


class Config:
    suppress_errors = False


config = Config()
config.suppress_errors = True
torch._dynamo.config.suppress_errors = False
suppress_errors = True
if torch._dynamo.config.suppress_errors is True:
    print("compile errors are hidden")
with contextlib.suppress(RuntimeError):
    torch.compile(torch.nn.Linear(2, 2))
