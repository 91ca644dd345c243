import torch
from torch import nn

parent, child = nn.Module(), nn.Module()
parent.child = child
child.parent = parent
parent.train()
