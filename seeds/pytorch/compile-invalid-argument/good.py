import re

import torch

model = torch.nn.Linear(2, 2)
a = torch.compile(model, mode="max-autotune")
b = torch.compile(model, options={"max_autotune": True})
c = torch.compile(model, mode=None, options={"max_autotune": True}, dynamic=True)
d = re.compile("mode|options")
