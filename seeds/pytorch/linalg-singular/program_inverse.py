"""The inverse does not exist either."""

import torch

torch.linalg.inv(torch.ones(2, 2)) @ torch.ones(2)
