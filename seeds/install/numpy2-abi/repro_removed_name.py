import numpy as np
import torch

values = torch.from_numpy(np.ones(3, dtype=np.float_))
print(values)
