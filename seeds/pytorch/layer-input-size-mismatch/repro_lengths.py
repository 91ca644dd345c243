import torch
from torch.nn.utils.rnn import pack_padded_sequence

batch = torch.randn(3, 5, 2)
packed = pack_padded_sequence(batch, [3, 5, 4], batch_first=True)
print(packed.batch_sizes)
