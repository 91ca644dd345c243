import numpy as np
import torch

flipped = np.flip(np.ones((2, 3)), axis=1)
print(torch.as_tensor(flipped).shape)
