import torch


def restore(path, trusted):
    state = torch.load(path, map_location="cpu", weights_only=True)
    other = torch.load(path)
    own = torch.load(path, weights_only=trusted)
    return state, other, own


def copy(model):
    import io

    buffer = io.BytesIO()
    torch.save(model, buffer)
    buffer.seek(0)
    return torch.load(buffer, weights_only=False)
