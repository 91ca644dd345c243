import numpy as np
import torch

column = np.array([1, 2.5, 3], dtype=object)
print(torch.from_numpy(column))
