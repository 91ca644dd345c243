import torch
from torch.nn.utils.rnn import pack_padded_sequence

batch = torch.randn(2, 5, 3)
packed = pack_padded_sequence(batch, torch.tensor([5, 4]))
print(packed.batch_sizes)
