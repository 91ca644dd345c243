import torch


def merge_heads(heads):
    joined = heads.transpose(1, 2)
    return joined.view(2, 12)


def main():
    heads = torch.randn(2, 3, 4)
    print("merged", tuple(merge_heads(heads).shape))


main()
