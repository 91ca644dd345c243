import numpy as np
import torch

w = torch.randn(3, requires_grad=True)
losses = [(w * i).sum() for i in range(3)]
print(np.array(losses))
