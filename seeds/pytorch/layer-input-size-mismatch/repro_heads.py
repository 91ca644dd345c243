from torch import nn

attention = nn.MultiheadAttention(embed_dim=20, num_heads=6)
print(attention.head_dim)
