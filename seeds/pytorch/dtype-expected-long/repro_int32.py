import numpy as np
import torch
from torch import nn

labels = torch.from_numpy(np.array([0, 2], dtype=np.int32))
print(nn.NLLLoss()(torch.randn(2, 3).log_softmax(1), labels))
