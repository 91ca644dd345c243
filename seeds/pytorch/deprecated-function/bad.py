import torch
from torch import nn
import torch.nn.functional as F


def build(x, y):
    layer = nn.utils.weight_norm(nn.Linear(2, 2))  # finding: 1
    torch.set_default_tensor_type(torch.DoubleTensor)  # finding: 2
    loss = nn.MSELoss(size_average=False)  # finding: 3
    other = F.l1_loss(x, y, reduce=True)  # finding: 3
    p = F.softmax(x)  # finding: 4
    q = nn.Softmax()  # finding: 4
    grid = torch.meshgrid(x, y)  # finding: 5
    return layer, loss, other, p, q, grid
