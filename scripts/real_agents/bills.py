"""What `exec` tells of usage, against what the scripted model server billed."""
from itertools import combinations
from typing import List, Optional

KINDS = ("input", "output", "cache_read", "cache_write")
MOST = 12  # model calls of a turn that are told apart


def total(bill: dict) -> int:
    """All tokens of a model call, thoughts included."""
    return sum(bill.get(kind, 0) for kind in KINDS + ("thoughts",))


def readings(bill: dict) -> List[int]:
    """What a context may be said to hold after a call: its prompt, or its prompt with the answer."""
    prompt = total(bill) - bill["output"] - bill.get("thoughts", 0)
    return [prompt, prompt + bill["output"], total(bill)]


def sums(bills: List[dict], least: int, most: int) -> List[dict]:
    """The sums of so many calls. Which of them belong to the turn is the agent's to say: calls beside it, such as
    one for a title, are billed as well."""
    found = []
    for count in range(least, most + 1):
        for some in combinations(bills[:MOST], count):
            found.append({kind: sum(bill.get(kind, 0) for bill in some) for kind in KINDS})
    return found


def is_told(tokens: dict, summed: dict) -> bool:
    """Whether tokens are those that were billed. An agent that tells no cached ones counts them with the others."""
    if tokens == summed:
        return True
    prompt = summed["input"] + summed["cache_read"] + summed["cache_write"]
    hides = tokens["cache_read"] == tokens["cache_write"] == 0
    return hides and tokens["input"] == prompt and tokens["output"] == summed["output"]


def check_usage(check, stage, run) -> None:
    """Every number that is shown was billed, and what is not known is not shown."""
    billed = stage.model.bills()
    if not check.that(len(billed) > 1, "the model server billed %d calls, want some" % len(billed)):
        return
    told = (run.of_type("usage") or [{}])[-1]
    context: Optional[int] = told.get("context_used")
    known = {reading for bill in billed for reading in readings(bill)}
    check.that(context is None or context in known, "the meter shows %s, which no call of %s leaves" % (
        context, [readings(bill) for bill in billed]))
    window: Optional[int] = told.get("context_window")
    check.that(not (context and window) or context <= window, "%s of %s in use" % (context, window))
    tokens = told.get("turn_tokens") or told.get("session_tokens")
    if not stage.agent.bills:
        check.that(tokens is None, "tokens are shown that the agent is not known to tell: %s" % tokens)
        return
    least, most = {"turn": (2, len(billed)), "last": (1, 1)}[stage.agent.bills]
    if check.that(tokens, "no tokens are shown"):
        wanted = sums(billed, least, most)
        check.that(any(is_told(tokens, summed) for summed in wanted),
                   "the turn shows %s, which no calls of %s add up to" % (tokens, billed))
