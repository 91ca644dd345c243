from torch import nn

layer = nn.utils.weight_norm(nn.Conv1d(2, 2, 3), name="weight")
print(type(layer).__name__)
