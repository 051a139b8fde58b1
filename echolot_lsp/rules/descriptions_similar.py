"""Two descriptions that share at least 60 % of the words they use together (each has eight or more).

**Why it matters.** A model reads two texts that say nearly the same and picks by chance. Generated servers are the usual source: one
sentence, with the noun exchanged.

**Instead.** Say in each when to use it rather than the other. Counted is the text before the first Args, Parameters, Returns, Raises
or Examples section, so that every framework gives the same answer; small words and plurals do not count.

**Who refuses.** Nobody.
"""

from __future__ import annotations

from collections.abc import Iterator

from echolot_lsp.model import Server, Severity
from echolot_lsp.rules import Context, Example, Hit, Mark, Rule
from echolot_lsp.rules._similar import nearest_of_each
from echolot_lsp.rules.descriptions_same import folded
from echolot_lsp.words import before_sections, quoted, words

LEAST_WORDS = 8


def check(server: Server, context: Context) -> Iterator[Hit]:
    sets: dict[int, frozenset[str]] = {}
    for index, tool in enumerate(server.tools):
        description = tool.wire.get("description")
        if isinstance(description, str):
            found = words(before_sections(description))
            if len(found) >= LEAST_WORDS:
                sets[index] = found
    texts = {index: folded(server.tools[index].wire["description"]) or "" for index in sets}
    for index, (other, share) in nearest_of_each(sets, texts).items():
        name = quoted(server.tools[other].name or "another tool")
        message = f"The description shares {share * 100:.0f} % of its words with that of {name}, so a model may pick the wrong one."
        yield Hit(index, ("description",), message, (Mark(other, ("description",), "the most similar description"),))


_TENT = "Searches the summer list for tents below a price and returns twenty offers with picture, weight and stock."
_BOAT = "Searches the summer list for boats below a price and returns twenty offers with picture, length and stock."

RULE = Rule(
    id="descriptions-similar",
    severity=Severity.WARNING,
    title="Two descriptions that are nearly the same",
    advice="Say in each when to use it.",
    bad=(
        Example(
            (
                {"name": "tents", "description": _TENT},
                {"name": "boats", "description": _BOAT + "\n\nReturns:\n    A long list of offers, in another language."},
            ),
            ((0, "/description"), (1, "/description")),
        ),
        Example(
            ({"name": "high", "description": "港の満潮の時刻を返す。"}, {"name": "low", "description": "港の干潮の時刻を返す。"}),
            ((0, "/description"), (1, "/description")),
            "Japanese",
        ),
    ),
    good=(
        Example(
            (
                {"name": "tents", "description": _TENT},
                {
                    "name": "boats",
                    "description": "Hires a boat for a day. Use it once the guest has chosen one; it takes the deposit at once.",
                },
            )
        ),
        Example(
            (
                {"name": "high", "description": "港の満潮の時刻を返す。"},
                {"name": "hire", "description": "舟を一日借りる。保証金が要る。"},
            ),
            title="Japanese",
        ),
    ),
    list=check,
)
