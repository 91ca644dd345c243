import torch
# needs a GPU whose architecture is not in torch.cuda.get_arch_list()
print(torch.cuda.get_arch_list())
print((torch.ones(2, device="cuda") + 1).cpu())
