import torch
# needs a CUDA build of torch on a machine without a driver
model = torch.nn.Linear(2, 2)
model.cuda()
print("ran")
