import torch
loss = torch.nn.CrossEntropyLoss(torch.randn(2, 3), torch.tensor([0, 1]))
