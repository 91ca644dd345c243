import torch
from torch import nn

layer = nn.TransformerEncoderLayer(8, 2)
encoder = nn.TransformerEncoder(layer, num_layers=1)
print(encoder(torch.zeros(3, 1, 8)).shape)
