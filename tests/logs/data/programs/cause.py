import ops


def load(path):
    try:
        return ops.allocate(path)  # HERE
    except RuntimeError as error:
        raise ValueError(f"could not load {path}") from error


load("weights.pt")
