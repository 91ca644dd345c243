import numpy as np
import torch

torch.save({"best": np.float32(0.5), "curve": np.arange(3.0)}, "metrics.pt")
print(torch.load("metrics.pt")["best"])
