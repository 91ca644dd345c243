import sys

import torch

sys.setrecursionlimit(3000)
