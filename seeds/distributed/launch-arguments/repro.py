import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--local_rank", type=int, default=0)
parser.add_argument("--epochs", type=int, default=1)
args = parser.parse_args()
print("rank", args.local_rank, "epochs", args.epochs)
