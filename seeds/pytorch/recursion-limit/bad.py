import sys

import torch

sys.setrecursionlimit(10**6)  # finding: 0
