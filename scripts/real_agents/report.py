"""Keeps the results in docs/agents.json and writes docs/agents.md from them."""
import json
import os
from typing import Dict, List

from .agents import AGENTS, BY_ID, RUNNABLE
from .scenarios import SCENARIOS, TITLES, Result
from .servers import REPOSITORY

DATA = os.path.join(REPOSITORY, "docs", "agents.json")
PAGE = os.path.join(REPOSITORY, "docs", "agents.md")
MARKS = {"ok": "✓", "fail": "✗", "none": "–"}


def load() -> dict:
    try:
        with open(DATA, encoding="utf-8") as text:
            return json.load(text)
    except FileNotFoundError:
        return {"agents": {}}


def store(data: dict) -> None:
    os.makedirs(os.path.dirname(DATA), exist_ok=True)
    with open(DATA, "w", encoding="utf-8") as out:
        json.dump(data, out, indent=1, ensure_ascii=False, sort_keys=True)
        out.write("\n")


def merge(data: dict, agent: str, scenario: str, result: Result, program: str, date: str) -> None:
    """Puts one result in place of the stored one; the results of another version of the agent go."""
    version = BY_ID[agent].version
    entry = data["agents"].get(agent, {})
    if entry.get("version") != version:
        entry = {"version": version, "scenarios": {}}
    entry.pop("not_installed", None)
    stored = {"status": result.status, "program": program, "date": date}
    if result.exit_code is not None:
        stored["exit_code"] = result.exit_code
    if result.reasons:
        stored["reasons"] = result.reasons
    if result.shown:
        stored["shown"] = result.shown
    entry["scenarios"][scenario] = stored
    data["agents"][agent] = entry


def not_installed(data: dict, agent: str, reason: str) -> None:
    entry = data["agents"].setdefault(agent, {"version": BY_ID[agent].version, "scenarios": {}})
    entry["not_installed"] = reason


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def page(data: dict) -> str:
    results: Dict[str, dict] = data["agents"]
    notes: List[str] = []

    def mark(agent: str, scenario: str) -> str:
        stored = results.get(agent, {}).get("scenarios", {}).get(scenario)
        if not stored:
            return "?"
        sign = MARKS[stored["status"]]
        if stored.get("reasons"):
            note = "; ".join(stored["reasons"])
            text = "%s: %s." % (BY_ID[agent].name, note)
            if text not in notes:
                notes.append(text)
            sign += "[^%d]" % (notes.index(text) + 1)
        return sign

    lines = [
        "# Agents",
        "",
        "What works with which agent. `scripts/real-agents` writes this page: it runs `agent-panel exec` with each "
        "agent in the version named, against the scripted model servers of `tests/model-servers`. Do not edit it by "
        "hand; `docs/agents.json` holds the same results for programs.",
        "",
        "```sh",
        "scripts/real-agents install    # once; some minutes and 3 GB",
        "scripts/real-agents run        # or: run --agent gemini --scenario cancel",
        "```",
        "",
        "✓ works, ✗ does not, – is not possible with this agent, ? was not run.",
        "",
        "| agent | " + " | ".join(TITLES[name] for name in SCENARIOS) + " |",
        "|---|" + ":-:|" * len(SCENARIOS),
    ]
    for agent in RUNNABLE:
        marks = [mark(agent.id, name) for name in SCENARIOS]
        lines.append("| %s | %s |" % (agent.name, " | ".join(marks)))
    if notes:
        lines.append("")
        lines += ["[^%d]: %s" % (number, cell(text)) for number, text in enumerate(notes, 1)]

    lines += [
        "",
        "## What each scenario checks",
        "",
        "In every one: well-formed jsonl with one `session` and one `end`, unique block ids, a complete recording, "
        "and no process of the agent left behind.",
        "",
        "- **plain answer**: the answer's text, exit code 0, the usage where the agent tells it.",
        "- **shell, allowed**: the agent asks, `--on-ask allow` answers, the command has run, its tool call is "
        "complete.",
        "- **shell, rejected**: the agent asks, `--on-ask reject` answers, the command has not run and is not shown "
        "as completed.",
        "- **edit**: a file of the project is changed, and a tool call carries the diff.",
        "- **MCP call**: the server given by `--mcp-config` has seen exactly the call, with its arguments, and the "
        "tool call names the tool.",
        "- **level read-only**: with `--approve read-only`, `uap_ping` runs unasked; `uap_property_set`, "
        "`uap_asset_delete` and a shell line that only mentions `uap_ping` are asked, where the agent asks at all.",
        "- **cancel**: Ctrl-C while the answer streams: the partial answer is kept, the agent confirms, exit code 130, "
        "all within 15 s.",
        "- **model error**: the model server answers HTTP 400, and its words are shown; see below.",
        "- **second prompt**: a second `exec` with `--resume`: the same session, and the model sees the first prompt "
        "again.",
        "- **usage**: a turn of several model calls: the context meter and the tokens show what the model server has "
        "billed, and nothing where the agent tells nothing.",
        "",
        "## Versions and start commands",
        "",
        "| agent | version | needs | started as | settings, besides the model's |",
        "|---|---|---|---|---|",
    ]
    for agent in RUNNABLE:
        needs = "Python %d.%d" % agent.python if agent.kind == "pip" else "Node %d" % agent.node
        lines.append("| %s | %s | %s | `%s` | %s |" % (
            agent.name, agent.version, needs, agent.shown_command, cell(agent.shown_settings)))
    lines += ["", "Installed as:", "", "```sh"]
    for agent in AGENTS:
        tool = "pip install" if agent.kind == "pip" else "npm install"
        lines.append("%s %s" % (tool, " ".join(agent.packages)))
    lines += ["```", "", "## What a failing model call looks like", "",
              "| agent | exit code | shown |", "|---|:-:|---|"]
    for agent in RUNNABLE:
        stored = results.get(agent.id, {}).get("scenarios", {}).get("model-error")
        if stored and "shown" in stored:
            lines.append("| %s | %s | %s |" % (agent.name, stored.get("exit_code"), cell(stored["shown"])))
    lines += ["", "## Notable", ""]
    for agent in AGENTS:
        lines += ["### %s" % agent.name, ""]
        if results.get(agent.id, {}).get("not_installed"):
            lines += ["- Not installed: %s" % results[agent.id]["not_installed"]]
        lines += ["- %s" % note for note in agent.notes] + [""]
    return "\n".join(lines).rstrip() + "\n"


def write(data: dict) -> None:
    store(data)
    with open(PAGE, "w", encoding="utf-8") as out:
        out.write(page(data))
