"""Runs `agent-panel exec` once and reads what it wrote."""
import json
import os
import signal
import subprocess
import time
from typing import Callable, Dict, List, Optional

RUNNING = set()  # the processes of exec that run now
GRACE = 2.0  # seconds that processes of the agent may still take to go once exec has ended


class ExecRun:
    """One run of exec: its exit code, its jsonl records, the frames that it recorded."""

    def __init__(self, arguments: List[str], env: Dict[str, str], folder: str, name: str, limit: float):
        self.arguments = arguments
        self.limit = limit
        self.output = os.path.join(folder, name + ".jsonl")
        self.errors = os.path.join(folder, name + ".stderr.txt")
        self.record = os.path.join(folder, name + ".record.jsonl")
        self.code: Optional[int] = None
        self.seconds = 0.0
        self.interrupted_after: Optional[float] = None  # seconds from SIGINT to the end of exec
        self.env = env
        self.process: Optional[subprocess.Popen] = None

    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def run(self, binary: str, prompt: str, interrupt_when: Optional[Callable[["ExecRun"], bool]] = None) -> None:
        command = [binary, "exec", "--trust"] + self.arguments + [
            "--format", "jsonl", "--record", self.record, "--timeout", str(int(self.limit)), prompt]
        start = time.monotonic()
        with open(self.output, "wb") as out, open(self.errors, "wb") as err:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                       env=self.env, start_new_session=True)
            self.process = process
            RUNNING.add(process)
            try:
                if interrupt_when and interrupt_when(self) and process.poll() is None:
                    interrupted = time.monotonic()
                    process.send_signal(signal.SIGINT)
                    process.wait(timeout=self.limit)
                    self.interrupted_after = time.monotonic() - interrupted
                else:
                    process.wait(timeout=self.limit + 30)
                self.code = process.returncode
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            finally:
                RUNNING.discard(process)
        self.seconds = time.monotonic() - start

    # --- what it wrote ------------------------------------------------------------------

    def lines(self) -> List[str]:
        with open(self.output, encoding="utf-8", errors="replace") as text:
            return [line for line in text.read().split("\n") if line]

    def records(self) -> List[dict]:
        """The records that are JSON objects with a type; `stray` has the other lines."""
        return [record for record in map(parse, self.lines()) if record]

    def stray(self) -> List[str]:
        return [line for line in self.lines() if not parse(line)]

    def of_type(self, kind: str) -> List[dict]:
        return [record for record in self.records() if record["type"] == kind]

    def blocks(self, kind: str) -> List[dict]:
        return [record for record in self.of_type("block") if record.get("kind") == kind]

    def text_of(self, kind: str) -> str:
        return "\n".join(str(block.get("text") or "") for block in self.blocks(kind))

    def session(self) -> dict:
        return (self.of_type("session") or [{}])[0]

    def end(self) -> dict:
        return (self.of_type("end") or [{}])[-1]

    def frames(self) -> List[dict]:
        """The recorded frames: {"dir", "t_ms", "frame"}."""
        try:
            with open(self.record, encoding="utf-8", errors="replace") as text:
                lines = text.read().split("\n")
        except OSError:
            return []
        found = []
        for line in lines:
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            if isinstance(entry, dict) and isinstance(entry.get("frame"), dict):
                found.append(entry)
        return found

    def sent(self, method: str) -> List[dict]:
        return [entry["frame"] for entry in self.frames()
                if entry.get("dir") == "in" and entry["frame"].get("method") == method]

    def control(self, direction: str, subtype: str) -> List[dict]:
        """Control requests of Claude Code's own dialect; `direction` as the agent sees it."""
        frames = [entry["frame"] for entry in self.frames() if entry.get("dir") == direction]
        return [frame for frame in frames if frame.get("type") == "control_request"
                and (frame.get("request") or {}).get("subtype") == subtype]

    def answer_to(self, method: str) -> Optional[dict]:
        """The agent's answer to the last request of ours with this method."""
        requests = self.sent(method)
        if not requests:
            return None
        for entry in self.frames():
            frame = entry["frame"]
            if entry.get("dir") == "out" and "method" not in frame and frame.get("id") == requests[-1].get("id"):
                return frame
        return None


def parse(line: str) -> Optional[dict]:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) and isinstance(record.get("type"), str) else None


# --- processes that stayed behind -----------------------------------------------------------

def processes_of(folder: str) -> Dict[int, str]:
    """Processes with a home or a working folder inside `folder` (Linux; elsewhere none are found)."""
    found = {}
    if not os.path.isdir("/proc"):
        return found
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open("/proc/%s/environ" % name, "rb") as environ:
                homes = [part[5:] for part in environ.read().split(b"\0") if part.startswith(b"HOME=")]
            places = [home.decode(errors="replace") for home in homes] + [os.readlink("/proc/%s/cwd" % name)]
            if not any(place.startswith(folder + os.sep) for place in places):
                continue
            with open("/proc/%s/cmdline" % name, "rb") as command:
                found[int(name)] = command.read().replace(b"\0", b" ").decode(errors="replace").strip()[:120]
        except OSError:
            continue
    return found


def left_over(folder: str) -> Dict[int, str]:
    """The processes still there after the grace time; they are killed."""
    end = time.monotonic() + GRACE
    found = processes_of(folder)
    while found and time.monotonic() < end:
        time.sleep(0.1)
        found = processes_of(folder)
    for pid in found:
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass
    return {pid: command for pid, command in found.items() if command}
