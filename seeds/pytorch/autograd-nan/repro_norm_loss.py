import torch
from torch import nn

torch.autograd.set_detect_anomaly(True)
logits = nn.Parameter(torch.tensor([[float("inf"), 1.0]]))
loss = torch.log(torch.softmax(logits, 1))[0, 0]
loss.backward()
