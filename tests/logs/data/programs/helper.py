"""A module of the user's that a notebook imports."""


def run(function):
    value = 3
    return function(value)  # HERE
