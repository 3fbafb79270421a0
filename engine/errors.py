"""Exceptions of the engine. They mean "cannot go on"; facts of play are values (Refusal, Problem), never exceptions.

JinqueError
├── NotationError      a text is not tile, meld or hand notation
├── HandError          a value that can never be a hand, meld or tile set, whatever the rules
└── RulesetError       unknown ruleset, unknown option, or a value an option does not take
"""


class JinqueError(ValueError):
    """Root of all errors of the project; the message is one sentence that says what was wrong and what was expected.

    Of a message that repeats a very long text the beginning and the end are kept.
    """

    def __init__(self, message: str) -> None:
        super().__init__(shortened(message))


def shortened(text: str) -> str:
    """A text that can be shown: of a very long one the beginning and the end."""
    return f"{text[:_HEAD]} … {text[-_TAIL:]}" if len(text) > _LONGEST else text


_LONGEST, _HEAD, _TAIL = 2000, 200, 400


class NotationError(JinqueError):
    """A text is not tile, meld or hand notation."""


class HandError(JinqueError):
    """A value that can never be a hand, meld or tile set, whatever the rules."""


class RulesetError(JinqueError):
    """Unknown ruleset, unknown option, or a value the option does not take."""
