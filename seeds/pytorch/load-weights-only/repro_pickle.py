import pickle
import torch

with open("data.pkl", "wb") as f:
    pickle.dump({"x": [1, 2]}, f)
print(torch.load("data.pkl"))
