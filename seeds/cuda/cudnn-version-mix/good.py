import torch

torch.backends.cudnn.enabled = True
torch.backends.cudnn.benchmark = False
print(torch.backends.cudnn.enabled)
