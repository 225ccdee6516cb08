"""The scenarios: what each runs, and what must be true afterwards."""
import json
import os
import re
import shlex
import shutil
import subprocess
import time
from dataclasses import dataclass, field
from typing import Callable, Dict, List, Optional

from . import bills, execrun, servers
from .agents import Agent, Place
from .install import node_for

LIMIT = 150          # seconds for one run of exec
CANCEL_LIMIT = 15.0  # seconds from Ctrl-C to the end of exec
SHOWN = 240          # characters kept of what a failing model call looks like
ANSWERS = {"openai": "Here is a short", "anthropic": "Here is a short",
           "gemini": "Hello from the", "chat": "Hello from the"}
ERRORS = {"openai": "Invalid request", "anthropic": "too long",
          "gemini": "Mock error 400", "chat": "Mock error 400"}


@dataclass
class Result:
    status: str                        # "ok", "fail" or "none" (not possible with this agent)
    reasons: List[str] = field(default_factory=list)
    exit_code: Optional[int] = None
    seconds: float = 0.0
    shown: str = ""                    # what a failing model call looks like to the user


class Checks:
    """Collects what did not hold."""

    def __init__(self):
        self.failed: List[str] = []

    def that(self, holds: object, reason: str) -> bool:
        if not holds:
            self.failed.append(reason)
        return bool(holds)


class Stage:
    """Everything one scenario needs, fresh: home, project, servers, environment."""

    def __init__(self, agent: Agent, scenario: str, cache: str, binary: str):
        self.agent, self.scenario, self.cache, self.binary = agent, scenario, cache, binary
        self.folder = os.path.join(cache, "scratch", "%s-%s" % (agent.id, scenario))
        shutil.rmtree(self.folder, ignore_errors=True)
        home, project = os.path.join(self.folder, "home"), os.path.join(self.folder, "project")
        self.place = Place(cache, agent.id, home, project, node=node_for(cache, agent))
        for folder in (home, project, os.path.join(self.folder, "tmp")):
            os.makedirs(folder)
        self.write("README.md", "# Project\n\nHello\n")
        self.write("hello.txt", "hello world\n")
        subprocess.call(["git", "init", "-q", project], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.model = servers.model_server(agent.server, project, os.path.join(self.folder, "requests.jsonl"))
        self.place.port = self.model.port
        self.mcp = servers.mcp_server("unity-ops")
        self.mcp_config = os.path.join(self.folder, "mcp.json")
        with open(self.mcp_config, "w", encoding="utf-8") as out:
            json.dump({"mcpServers": {"unity-ops": {
                "type": "http", "url": "http://127.0.0.1:%d/mcp" % self.mcp.port, "headers": {}}}}, out)
        self.env = self.environment()

    def environment(self) -> Dict[str, str]:
        """Nothing of the caller's environment but the search path: no key or setting of theirs gets in."""
        home = self.place.home
        env = {"HOME": home, "USERPROFILE": home, "LANG": "C.UTF-8", "TERM": "dumb",
               "TMPDIR": os.path.join(self.folder, "tmp"),
               "XDG_CONFIG_HOME": os.path.join(home, ".config"),
               "XDG_DATA_HOME": os.path.join(home, ".local", "share"),
               "XDG_STATE_HOME": os.path.join(home, ".local", "state"),
               "XDG_CACHE_HOME": os.path.join(home, ".cache"),
               "GIT_CONFIG_NOSYSTEM": "1"}
        own = self.agent.setup(self.place)
        path = [os.path.dirname(self.place.node), own.pop("PATH", ""), os.environ.get("PATH", os.defpath)]
        return dict(env, PATH=os.pathsep.join(part for part in path if part), **own)

    def write(self, name: str, text: str) -> None:
        with open(os.path.join(self.place.project, name), "w", encoding="utf-8") as out:
            out.write(text)

    def read(self, name: str) -> Optional[str]:
        try:
            with open(os.path.join(self.place.project, name), encoding="utf-8") as text:
                return text.read()
        except OSError:
            return None

    def exec(self, prompt: str, on_ask: str = "reject", resume: str = "", name: str = "exec",
             with_mcp: bool = False, level: str = "", **more) -> execrun.ExecRun:
        command = " ".join(shlex.quote(part) for part in self.agent.command(self.place))
        which = ["--backend", self.agent.backend] if self.agent.backend else ["--command", command]
        arguments = which + ["--cwd", self.place.project, "--on-ask", on_ask]
        if self.agent.mode:
            arguments += ["--mode", self.agent.mode]
        if self.agent.client_tools:
            arguments += ["--client-tools", self.agent.client_tools]
        if level:
            arguments += ["--approve", level]
        if with_mcp:
            arguments += ["--mcp-config", self.mcp_config]
        if resume:
            arguments += ["--resume", resume]
        run = execrun.ExecRun(arguments, self.env, self.folder, name, LIMIT)
        run.run(self.binary, prompt, **more)
        return run

    def close(self) -> None:
        self.model.stop()
        self.mcp.stop()


# --- checks that every run has to pass ------------------------------------------------------

def check_form(check: Checks, stage: Stage, run: execrun.ExecRun, prompt: str) -> None:
    """The jsonl and the recording are complete and well formed."""
    check.that(not run.stray(), "stdout has lines that are no records: %r" % run.stray()[:1])
    check.that(len(run.of_type("session")) == 1, "%d session records, want 1" % len(run.of_type("session")))
    # Claude Code names a session with its first answer, after the record.
    check.that(run.session().get("session_id") or stage.agent.backend, "the session record has no session_id")
    version = run.session().get("agent_version")
    check.that(version and version in stage.agent.version, "the agent calls itself version %s, want %s" % (
        version, stage.agent.version))
    check.that(len(run.of_type("end")) == 1, "%d end records, want 1" % len(run.of_type("end")))
    ids = [block.get("id") for block in run.of_type("block")]
    check.that(len(ids) == len(set(map(str, ids))), "a block id is used twice: %s" % ids)
    check.that(prompt in run.text_of("user_message"), "no user_message block with the prompt")
    for block in run.blocks("tool_call"):
        check.that(block.get("tool_call_id"), "a tool call without tool_call_id: %s" % block.get("title"))
    ids = [block.get("tool_call_id") for block in run.blocks("tool_call")]
    check.that(len(ids) == len(set(ids)), "a tool call has two blocks: %s" % ids)
    check.that(run.frames(), "the recording is empty")
    began = run.control("in", "initialize") if stage.agent.backend else run.answer_to("initialize")
    check.that(began, "the recording lacks initialize")
    if stage.agent.mode:
        modes = run.session().get("modes")
        check.that(stage.agent.mode in json.dumps(modes), "the session record does not list mode %s: %s" % (
            stage.agent.mode, json.dumps(modes)[:200]))


def check_ended(check: Checks, run: execrun.ExecRun, code: int = 0, stop: str = "end_turn") -> None:
    check.that(run.code == code, "exit code %s, want %s%s" % (run.code, code, hint(run)))
    check.that(run.end().get("stop_reason") == stop, "end record %s, want stop_reason %s" % (
        json.dumps({key: value for key, value in run.end().items() if key != "type"}), stop))


def check_no_errors(check: Checks, run: execrun.ExecRun) -> None:
    for block in run.blocks("error"):
        check.that(False, "an error block: %s" % str(block.get("text"))[:200])


def check_asked(check: Checks, stage: Stage, run: execrun.ExecRun, answer: str) -> None:
    """A permission was asked for and answered as told, or was not where the agent never asks."""
    asked = run.of_type("permission")
    if stage.scenario not in stage.agent.asks:
        check.that(not asked, "a permission was asked for, which this agent is not known to do here")
        return
    if not check.that(asked, "no permission record"):
        return
    requests = run.control("out", "can_use_tool") or [
        entry for entry in run.frames()
        if entry.get("dir") == "out" and entry["frame"].get("method") == "session/request_permission"]
    check.that(len(asked) == len(requests), "%d permission records for %d requests" % (len(asked), len(requests)))
    for record in asked:
        given = record.get("answer") or {}
        check.that(str(given.get("kind")).startswith(answer), "a permission was answered %s, want %s" % (
            json.dumps(given), answer))
        check.that(record.get("title"), "a permission record without a title")
        check.that(record.get("options"), "a permission record without options")


def check_tools(check: Checks, stage: Stage, run: execrun.ExecRun) -> None:
    """Tool calls came through, and those that the agent finishes are finished."""
    calls = run.blocks("tool_call")
    if not check.that(calls, "no tool_call block"):
        return
    if stage.scenario not in stage.agent.never_finished:
        open_calls = [call for call in calls if call.get("status") != "completed"]
        check.that(not open_calls, "tool calls not completed: %s" % [
            (call.get("title"), call.get("status")) for call in open_calls])


def hint(run: execrun.ExecRun) -> str:
    """The error of the end record and the last line on stderr, for a failed exit code."""
    parts = []
    if run.end().get("error"):
        parts.append(json.dumps(run.end()["error"])[:300])
    with open(run.errors, encoding="utf-8", errors="replace") as text:
        parts += [line for line in text.read().splitlines() if line.strip()][-1:]
    return " (%s)" % "; ".join(parts) if parts else ""


# --- the scenarios --------------------------------------------------------------------------

def plain_answer(stage: Stage, check: Checks) -> execrun.ExecRun:
    prompt = stage.agent.prompt("plain-answer")
    run = stage.exec(prompt)
    check_form(check, stage, run, prompt)
    check_ended(check, run)
    check_no_errors(check, run)
    check.that(ANSWERS[stage.agent.server] in run.text_of("agent_message"), "the answer's text is missing: %r" %
               run.text_of("agent_message")[:200])
    check.that(not run.of_type("permission"), "a plain answer asked for a permission")
    if stage.agent.reports_usage:
        check.that(run.of_type("usage"), "no usage record")
    return run


def shell_allowed(stage: Stage, check: Checks) -> execrun.ExecRun:
    prompt = stage.agent.prompt("shell-allowed")
    run = stage.exec(prompt, on_ask="allow")
    check_form(check, stage, run, prompt)
    check_ended(check, run)
    check_no_errors(check, run)
    check_asked(check, stage, run, "allow")
    check_tools(check, stage, run)
    check.that((stage.read("out.txt") or "").strip() == "hi", "out.txt holds %r, want hi" % stage.read("out.txt"))
    if stage.agent.shows_command:
        check.that("out.txt" in json.dumps(run.blocks("tool_call")), "the command is in no tool call")
    return run


def shell_rejected(stage: Stage, check: Checks) -> execrun.ExecRun:
    prompt = stage.agent.prompt("shell-rejected")
    run = stage.exec(prompt, on_ask="reject")
    check_form(check, stage, run, prompt)
    check_asked(check, stage, run, "reject")
    check.that(stage.read("out.txt") is None, "out.txt is there although the command was rejected")
    stop = run.end().get("stop_reason")
    wanted = {"end_turn": (0,), "cancelled": (3, 130)}.get(stop, ())
    check.that(run.code in wanted, "exit code %s with stop_reason %s%s" % (run.code, stop, hint(run)))
    if check.that(run.blocks("tool_call"), "no tool_call block"):
        check.that(all(call.get("status") != "completed" for call in run.blocks("tool_call")),
                   "the rejected call is shown as completed")
    return run


def edit(stage: Stage, check: Checks) -> execrun.ExecRun:
    prompt = stage.agent.prompt("edit")
    run = stage.exec(prompt, on_ask="allow")
    check_form(check, stage, run, prompt)
    check_ended(check, run)
    check_no_errors(check, run)
    check_asked(check, stage, run, "allow")
    check_tools(check, stage, run)
    name, text = stage.agent.edited()
    check.that(text in (stage.read(name) or ""), "%s does not hold %r: %r" % (name, text, stage.read(name)))
    if stage.agent.shows_diff:
        diffs = [call.get("diffs") for call in run.blocks("tool_call") if call.get("diffs")]
        if check.that(diffs, "no tool call has a diff"):
            check.that(text in json.dumps(diffs), "the diff lacks the new text: %s" % json.dumps(diffs)[:200])
    return run


def mcp_call(stage: Stage, check: Checks) -> execrun.ExecRun:
    prompt, tool = stage.agent.prompt("mcp-call"), stage.agent.mcp_tool
    run = stage.exec(prompt, on_ask="allow", with_mcp=True)
    check_form(check, stage, run, prompt)
    check_ended(check, run)
    check_no_errors(check, run)
    check_asked(check, stage, run, "allow")
    check_tools(check, stage, run)
    calls = stage.mcp.calls()
    check.that([call["tool"] for call in calls] == [tool], "the MCP server saw %s, want one %s" % (calls, tool))
    check.that(all(call["arguments"] for call in calls), "the MCP server got no arguments")
    named = [call for call in run.blocks("tool_call")
             if tool in "%s %s" % (call.get("tool_name"), call.get("title"))]
    check.that(named, "no tool call is named %s: %s" % (
        tool, [(call.get("tool_name"), call.get("title")) for call in run.blocks("tool_call")]))
    return run


def cancel(stage: Stage, check: Checks) -> execrun.ExecRun:
    prompt = stage.agent.prompt("cancel")

    def streaming(run: execrun.ExecRun) -> bool:
        """Waits until the agent passes on the model's words (or, at the latest, 20 s after the request)."""
        while run.running() and not any("[slow" in line for line in stage.model.requests()):
            time.sleep(0.1)
        end = time.monotonic() + 20
        while run.running() and time.monotonic() < end:
            if "word3 " in json.dumps(run.frames()):
                break
            time.sleep(0.1)
        return True

    run = stage.exec(prompt, interrupt_when=streaming)
    check_form(check, stage, run, prompt)
    check_ended(check, run, 130, "cancelled")
    stopped = run.control("in", "interrupt") if stage.agent.backend else run.sent("session/cancel")
    check.that(stopped, "nothing was sent to stop the turn")
    answer = run.answer_to("session/prompt")
    if not stage.agent.backend and check.that(answer, "the agent did not answer the cancelled prompt"):
        stop = (answer.get("result") or {}).get("stopReason")
        check.that(stop == "cancelled", "the agent answered the cancelled prompt with %s" % json.dumps(
            answer.get("result") or answer.get("error"))[:200])
    check.that(run.interrupted_after is not None and run.interrupted_after < CANCEL_LIMIT,
               "%s s from Ctrl-C to the end" % run.interrupted_after)
    text = run.text_of("agent_message")
    check.that("word1" in text, "the partial answer is lost: %r" % text[:100])
    check.that("word120" not in text, "the answer went on to its end")
    return run


def model_error(stage: Stage, check: Checks) -> execrun.ExecRun:
    prompt = stage.agent.prompt("model-error")
    run = stage.exec(prompt)
    check_form(check, stage, run, prompt)
    check.that(stage.model.requests(), "the model server saw no request")
    cause, end = ERRORS[stage.agent.server], run.end()
    if stage.agent.model_error == "error":
        error = end.get("error") or {}
        check.that(run.code == 5, "exit code %s, want 5%s" % (run.code, hint(run)))
        check.that(error.get("code") and error.get("message"), "the end record has no error: %s" % json.dumps(end))
        shown = json.dumps([end, run.blocks("error")], ensure_ascii=False)
        check.that(cause in shown, "the cause (%s) is not shown: %s" % (cause, shown[:300]))
    else:
        check_ended(check, run)
        told = cause in run.text_of("agent_message") + run.text_of("error")
        if stage.agent.model_error == "text":
            check.that(told, "the cause (%s) is not shown: %r" % (cause, run.text_of("agent_message")[:200]))
        else:
            check.that(not told, "the agent no longer hides the error: update its entry")
    return run


def second_prompt(stage: Stage, check: Checks) -> execrun.ExecRun:
    first = stage.exec("first of two: apple", name="first")
    check_form(check, stage, first, "first of two: apple")
    check_ended(check, first)
    session = first.session().get("session_id")
    if check.failed or not session:
        return first
    check_processes(stage, check)
    if stage.agent.load_next_minute:
        time.sleep(62 - time.time() % 60)
    seen = len(stage.model.requests())
    second = stage.exec("second of two: pear", resume=session, name="second")
    check_form(check, stage, second, "second of two: pear")
    check_ended(check, second)
    check_no_errors(check, second)
    check.that(second.session().get("session_id") == session, "another session: %s, want %s" % (
        second.session().get("session_id"), session))
    check.that(ANSWERS[stage.agent.server] in second.text_of("agent_message"), "the second answer is missing")
    later = stage.model.requests()[seen:]
    check.that(any("apple" in line and "pear" in line for line in later),
               "the model did not get the first prompt again: the agent began anew")
    second.seconds += first.seconds
    return second


def usage(stage: Stage, check: Checks) -> execrun.ExecRun:
    prompt = stage.agent.prompt("usage")
    run = stage.exec(prompt, on_ask="allow")
    check_form(check, stage, run, prompt)
    check_ended(check, run)
    bills.check_usage(check, stage, run)
    return run


def level_read_only(stage: Stage, check: Checks) -> execrun.ExecRun:
    """At level read-only an ops tool that reads runs unasked; what changes something, and a shell line that only
    mentions the tool, is asked."""
    seconds, run = 0.0, None
    for what, prompt in stage.agent.level_prompts().items():
        tool = {"ping": "uap_ping", "set": "uap_property_set", "delete": "uap_asset_delete"}.get(what)
        before = len(stage.mcp.calls())
        run = stage.exec(prompt, on_ask="reject", name=what, with_mcp=True, level="read-only")
        seconds += run.seconds
        check_form(check, stage, run, prompt)
        done = [call["tool"] for call in stage.mcp.calls()[before:]]
        asked = [record for record in run.of_type("permission") if record.get("decision") == "asked"]
        if what == "ping":
            check.that(done == [tool], "ping: the MCP server saw %s, want one %s" % (done, tool))
            check.that(not asked, "ping: asked, because %s" % [record.get("because") for record in asked])
            continue
        wanted = "mcp__unity-ops__" + tool if tool else "Bash"
        check.that([record.get("identity") for record in asked] == [wanted],
                   "%s: asked %s, want one %s" % (what, [
                       (record.get("identity"), record.get("because")) for record in asked], wanted))
        automatic = [record for record in run.of_type("permission") if record.get("decision") == "auto_allow"
                     and record.get("identity") == wanted]
        check.that(not automatic, "%s: allowed unasked" % what)
        check.that(tool not in done, "%s: the MCP server saw %s although it was rejected" % (what, done))
        check.that(stage.read("out.txt") is None, "%s: the command ran although it was rejected" % what)
    run.seconds = seconds
    return run


SCENARIOS: Dict[str, Callable[[Stage, Checks], execrun.ExecRun]] = {
    "plain-answer": plain_answer,
    "shell-allowed": shell_allowed,
    "shell-rejected": shell_rejected,
    "edit": edit,
    "mcp-call": mcp_call,
    "level-read-only": level_read_only,
    "cancel": cancel,
    "model-error": model_error,
    "second-prompt": second_prompt,
    "usage": usage,
}
TITLES = {
    "plain-answer": "plain answer", "shell-allowed": "shell, allowed", "shell-rejected": "shell, rejected",
    "edit": "edit", "mcp-call": "MCP call", "level-read-only": "level read-only", "cancel": "cancel", "model-error": "model error",
    "second-prompt": "second prompt", "usage": "usage",
}


def check_processes(stage: Stage, check: Checks) -> None:
    left = execrun.left_over(stage.folder)
    check.that(not left, "processes stayed behind: %s" % "; ".join(left.values()))


def shown_of(run: execrun.ExecRun) -> str:
    """What the user sees of a failed model call, in one line."""
    error = run.end().get("error") or {}
    text = error.get("message") or run.text_of("error") or run.text_of("agent_message") or "nothing"
    line = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:PORT", " ".join(str(text).split()))
    return line if len(line) <= SHOWN else line[:SHOWN].rsplit(" ", 1)[0] + " …"


def play(agent: Agent, scenario: str, cache: str, binary: str, keep: bool) -> Result:
    """Runs one scenario with one agent."""
    if scenario in agent.not_possible and scenario != "model-error":
        return Result("none", [agent.not_possible[scenario]])
    start = time.monotonic()
    stage, check = Stage(agent, scenario, cache, binary), Checks()
    run = None
    try:
        run = SCENARIOS[scenario](stage, check)
        check_processes(stage, check)
    except Exception as error:  # one broken scenario must not end the others
        check.that(False, "the check itself failed: %r" % error)
    finally:
        execrun.left_over(stage.folder)
        stage.close()
    result = Result("fail" if check.failed else "ok", check.failed, run.code if run else None,
                    round(time.monotonic() - start, 1))
    if scenario == "model-error" and run:
        result.shown = "nothing" if agent.model_error == "hidden" else shown_of(run)
    if scenario in agent.not_possible and not check.failed:
        result.status, result.reasons = "none", [agent.not_possible[scenario]]
    if not keep and not check.failed:
        shutil.rmtree(stage.folder, ignore_errors=True)
    return result
