import torch
import torch._dynamo as td
from torch._dynamo import config

torch._dynamo.config.suppress_errors = True  # finding: 0
td.config.suppress_errors = True  # finding: 0
config.suppress_errors = True  # finding: 0


def quiet():
    setattr(config, "suppress_errors", True)  # finding: 0
