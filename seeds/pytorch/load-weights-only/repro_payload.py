import torch

class Payload:
    def __reduce__(self):
        return (print, ("code from the checkpoint",))

torch.save({"weights": Payload()}, "untrusted.pt")
torch.load("untrusted.pt", weights_only=True)
