"""Starts the scripted servers of tests/model-servers and asks them what they saw."""
import json
import os
import subprocess
import sys
import urllib.request
from typing import List, Optional

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(REPOSITORY, "tests", "model-servers")
SCRIPTS = {
    "openai": ("mock_openai.py", "--record"),
    "anthropic": ("mock_anthropic.py", "--record"),
    "gemini": ("mock_gemini.py", "--log"),
    "chat": ("mock_chat_completions.py", "--log"),
}


class Server:
    """One server process on a free loopback port."""

    def __init__(self, script: str, arguments: List[str], log: Optional[str] = None,
                 bills: Optional[str] = None):
        self.log, self.billed = log, bills
        # The output goes to this pipe up to the port's line; nothing is printed after it.
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(FOLDER, script), "--port", "0"] + arguments,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        line = self.process.stdout.readline().decode()
        if not line.startswith("PORT "):
            self.stop()
            raise RuntimeError("%s did not start: %r" % (script, line))
        self.port = int(line.split()[1])

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def requests(self) -> List[str]:
        """The requests seen so far, each as the line of JSON that was logged."""
        try:
            with open(self.log, encoding="utf-8", errors="replace") as lines:
                return list(lines)
        except OSError:
            return []

    def bills(self) -> List[dict]:
        """The tokens of each answer so far, by kind."""
        try:
            with open(self.billed, encoding="utf-8") as lines:
                return [json.loads(line) for line in lines]
        except OSError:
            return []

    def calls(self) -> List[dict]:
        """The tool calls that an MCP server has run."""
        with urllib.request.urlopen("http://127.0.0.1:%d/_calls" % self.port, timeout=10) as answer:
            return json.load(answer)


def model_server(kind: str, project: str, log: str) -> Server:
    script, option = SCRIPTS[kind]
    bills = os.path.join(os.path.dirname(log), "bills.jsonl")
    arguments = [option, log, "--bills", bills]
    if option == "--log":
        arguments += ["--cwd", project]
    return Server(script, arguments, log, bills)


def mcp_server(name: str) -> Server:
    return Server("mock_mcp.py", ["--name", name])
