import torch

torch.autograd.set_detect_anomaly(True)
logits = torch.tensor([[500.0, 1.0]], requires_grad=True)
loss = -torch.log(torch.softmax(logits, 1))[0, 1]
loss.backward()
