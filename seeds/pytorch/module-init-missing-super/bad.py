from torch import nn


class Net(nn.Module):
    def __init__(self, width):  # finding: 2
        self.fc = nn.Linear(width, 2)
