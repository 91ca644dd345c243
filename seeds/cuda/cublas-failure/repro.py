import torch
# needs a GPU: fill the card, then ask cuBLAS for its first handle
free, _ = torch.cuda.mem_get_info()
keep = torch.empty(free - 2**20, dtype=torch.uint8, device="cuda")
a = torch.ones(1, 1, device="cuda")
print((a @ a).item())
