import ops


def forward(
    x,
    scale,
):
    return ops.call(  # HERE
        ops.allocate,
        (
            x * scale
        ),
    )


forward(1, 2) + forward(3, 4)
