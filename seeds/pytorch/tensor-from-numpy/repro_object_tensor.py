import numpy as np
import torch

print(torch.tensor(np.array([1, 2, None], dtype=object)))
