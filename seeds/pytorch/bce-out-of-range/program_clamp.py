"""The sample that is most wrong gets no gradient."""

import sys
import torch

score = torch.tensor([3.0], requires_grad=True)
torch.nn.functional.binary_cross_entropy(score.clamp(0, 1), torch.zeros(1)).backward()
if score.grad.item() == 0:
    sys.exit("the gradient of a score that is completely wrong is 0")
