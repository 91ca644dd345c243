import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.me = self
Net().eval()
