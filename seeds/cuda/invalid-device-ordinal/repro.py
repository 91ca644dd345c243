import torch
# needs a GPU, and fewer than 64 of them
torch.cuda.set_device(63)
print(torch.cuda.current_device())
