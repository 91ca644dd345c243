"""Cards for clients that show a hover as it is."""

from __future__ import annotations

import pytest

from detour_lsp.lsp.plain_text import plain


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("### Title\n\n**What to do:** try *this*, ~~not that~~", "Title\n\nWhat to do: try this, not that"),
        (r"torch.\_dynamo \* \[x\] \`a\`", "torch._dynamo * [x] `a`"),
        # Code stays as it is, whatever it holds.
        ("`a*b*c`", "a*b*c"),
        ("`` `x` ``", "`x`"),
        ("```python\n# a comment\nf(**kw)  # [a](b)\n```\nbehind", "# a comment\nf(**kw)  # [a](b)\nbehind"),
        ("1. do\n   ```python\n   x = 1\n   ```\n2. more", "1. do\n   x = 1\n2. more"),
        ("````\n```\n````\n", "```\n"),
        # Multiplication and names are no emphasis.
        ("2*3*4 and a_b_c and **kw", "2*3*4 and a_b_c and kw"),
        # An address that its label repeats is said once.
        (r"[pytorch.org/a\_b](https://pytorch.org/a_b)", "https://pytorch.org/a_b"),
        ("[the issue](https://github.com/a/b)", "the issue (https://github.com/a/b)"),
    ],
)
def test_marks_are_gone_and_text_is_kept(markdown: str, text: str) -> None:
    assert plain(markdown) == text
