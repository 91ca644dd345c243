import numpy as np
import torch

print(torch.from_numpy(np.array(["1", "2"])))
