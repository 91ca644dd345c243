import torch
import torch.nn.functional as F

prediction = torch.randn(8, 1)
target = torch.randn(8)
print(F.mse_loss(prediction, target).shape)
