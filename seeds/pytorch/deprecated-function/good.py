import torch
from torch import nn
import torch.nn.functional as F


def build(x, y, options):
    layer = nn.utils.parametrizations.weight_norm(nn.Linear(2, 2))
    torch.set_default_dtype(torch.float64)
    loss = nn.MSELoss(reduction="sum", size_average=None)
    p = F.softmax(x, -1)
    q = nn.Softmax(1)
    r = x.softmax(dim=1)
    s = F.softmax(x, **options)
    grid = torch.meshgrid(x, y, indexing="xy")
    return layer, loss, p, q, r, s, grid
