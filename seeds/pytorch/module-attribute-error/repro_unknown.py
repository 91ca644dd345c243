from torch import nn

model = nn.Sequential(nn.Linear(2, 2))
print(model.head)
