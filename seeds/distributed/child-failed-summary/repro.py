import os


def main():
    rank = int(os.environ["RANK"])
    if rank == 1:
        raise ValueError("learning rate of rank 1 is negative")


if __name__ == "__main__":
    main()
