import numpy as np
import torch

rows = [np.ones(4), np.zeros(4)]
print(torch.tensor(rows).shape)
