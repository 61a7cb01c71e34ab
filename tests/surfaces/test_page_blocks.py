"""What runs the code of pages finds a page that does not print what it says."""

from __future__ import annotations

import pytest

from docs.tools.blocks import PageError, blocks, matches, run

PAGE = """# A page

```{toctree}
other
```

```python
x = 2
print(x + 1)
```
```text
3
```

```console
$ echo one; echo two
one
two
```
"""


@pytest.fixture
def page(tmp_path):
    def made(text):
        path = tmp_path / "page.md"
        path.write_text(text)
        return path

    return made


def test_a_true_page_is_left_as_it_is(page):
    assert [block.kind for block in blocks(PAGE)] == ["python", "console"]  # a directive before them hides none
    assert run(page(PAGE)) == PAGE


@pytest.mark.parametrize(("true", "wrong"), [("\n3\n", "\n4\n"), ("\ntwo\n", "\nthree\n")])
def test_a_wrong_output_is_found_and_put_right(page, true, wrong):
    assert PAGE.replace(true, wrong) != PAGE
    assert run(page(PAGE.replace(true, wrong))) == PAGE


def test_output_that_a_page_does_not_show_is_put_in(page):
    assert run(page("```python\nprint(1)\n```\n")) == "```python\nprint(1)\n```\n```text\n1\n```\n"


@pytest.mark.parametrize("block", ["```python\nundefined\n```\n", "```console\n$ no-such-command\n```\n"])
def test_code_that_fails_is_named_by_page_and_line(page, block):
    with pytest.raises(PageError, match=r"page\.md, line 3: "):
        run(page(f"text\n\n{block}"))


def test_dots_stand_for_what_may_differ():
    assert matches("a\n...\nz\n", "a\nb\nc\nz\n")
    assert matches("took … s\n", "took 3.2 s\n")
    assert not matches("took … s\n", "took 3.2 s\nand more\n")
    assert not matches("a.c\n", "abc\n")


def test_pictures_that_a_page_shows_are_kept(page, tmp_path):
    text = "```python\nfrom pathlib import Path\n\n_ = Path('p.svg').write_text('<svg/>')\n```\n![x](../made/p.svg)\n"
    run(page(text), pictures=tmp_path / "pictures")
    assert (tmp_path / "pictures" / "p.svg").read_text() == "<svg/>"
