import torch
from torch.nn.utils.rnn import pack_padded_sequence

packed = pack_padded_sequence(torch.randn(2, 4, 3), torch.tensor([4, 0]), batch_first=True)
print(packed.batch_sizes)
