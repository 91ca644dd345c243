import numpy as np
import torch

loss = torch.ones(3, requires_grad=True) * 2
history = np.array(loss)
print(history)
