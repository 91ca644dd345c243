import torch
import torch.nn.functional as F

scores = torch.randn(4, 3).log_softmax(1)
print(F.nll_loss(scores, torch.zeros(4)))
