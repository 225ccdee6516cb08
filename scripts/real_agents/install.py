"""Installs the pinned agents into the cache folder."""
import json
import os
import re
import shutil
import subprocess
import sys
from typing import Dict, List, Optional, Tuple

from .agents import Agent

NODE_PACKAGE = "node@22"
NODE_MAJOR = 22


class InstallError(Exception):
    """An agent that cannot be installed here, and why."""


def stamp_of(cache: str, agent: Agent) -> str:
    return os.path.join(cache, "agents", agent.id, "installed.json")


def installed(cache: str, agent: Agent) -> bool:
    """True when exactly the pinned packages are installed."""
    try:
        with open(stamp_of(cache, agent), encoding="utf-8") as text:
            return json.load(text)["packages"] == agent.packages
    except (OSError, ValueError, KeyError):
        return False


def run(command: List[str], cwd: str, log: str, env: Optional[Dict[str, str]] = None) -> None:
    """Runs a command with its output in `log`; raises InstallError with the last lines of it."""
    with open(log, "ab") as out:
        out.write(("$ %s\n" % " ".join(command)).encode())
        out.flush()
        try:
            code = subprocess.call(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=env)
        except OSError as error:
            raise InstallError("%s: %s" % (command[0], error.strerror)) from error
    if code:
        with open(log, encoding="utf-8", errors="replace") as text:
            tail = [line.strip() for line in text.read().splitlines() if line.strip()][-3:]
        raise InstallError("%s exited %d: %s (all of it in %s)" % (
            os.path.basename(command[0]), code, " / ".join(tail), log))


def version_of(program: str) -> Optional[Tuple[int, ...]]:
    """The version that `PROGRAM --version` prints, or None."""
    try:
        done = subprocess.run([program, "--version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode:  # a shim with nothing behind it
        return None
    found = re.search(r"(\d+)\.(\d+)(?:\.(\d+))?", done.stdout.decode(errors="replace"))
    return tuple(int(part) for part in found.groups() if part) if found else None


# --- Node -----------------------------------------------------------------------------------

def cached_node(cache: str) -> str:
    return os.path.join(cache, "node", "node_modules", "node", "bin", "node.exe" if os.name == "nt" else "node")


def node_for(cache: str, agent: Agent) -> str:
    """The program `node` for an agent: the machine's where it is new enough, else the cached one."""
    own = shutil.which("node")
    version = version_of(own) if own else None
    if own and version and version[0] >= agent.node:
        return own
    return cached_node(cache)


def install_node(cache: str, log: str) -> None:
    """Puts a newer Node beside the machine's, by npm."""
    node, folder = cached_node(cache), os.path.join(cache, "node")
    if version_of(node):
        return
    npm_install(folder, [NODE_PACKAGE], log)
    if not version_of(node):  # npm may have been told not to run install scripts
        script = os.path.join(folder, "node_modules", "node", "installArchSpecificPackage.js")
        run(["node", script], os.path.dirname(script), log)
    if not version_of(node):
        raise InstallError("npm brought no working Node %d (see %s)" % (NODE_MAJOR, log))


def npm_install(folder: str, packages: List[str], log: str) -> None:
    npm = shutil.which("npm")
    if not npm:
        raise InstallError("npm is not on PATH")
    os.makedirs(folder, exist_ok=True)
    # A package.json of its own, or npm would take the nearest one above.
    with open(os.path.join(folder, "package.json"), "w", encoding="utf-8") as out:
        json.dump({"private": True}, out)
    run([npm, "install", "--no-audit", "--no-fund", "--save-exact"] + packages, folder, log)


# --- Python ---------------------------------------------------------------------------------

def pythons(given: Optional[str]) -> List[str]:
    """Interpreters to choose from, the preferred one first."""
    found = [given] if given else []
    found.append(sys.executable)
    found += [shutil.which(name) or "" for name in ("python3.12", "python3.13", "python3.14", "python3.15", "python3")]
    pyenv = os.path.join(os.environ.get("PYENV_ROOT", os.path.expanduser("~/.pyenv")), "versions")
    if os.path.isdir(pyenv):
        found += [os.path.join(pyenv, name, "bin", "python3") for name in sorted(os.listdir(pyenv))]
    uv = shutil.which("uv")
    if uv:
        listed = subprocess.run([uv, "python", "find", ">=3.13"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        found.append(listed.stdout.decode(errors="replace").strip())
    return [path for path in found if path]


def python_for(agent: Agent, given: Optional[str]) -> str:
    for path in pythons(given):
        version = version_of(path)
        if version and version[:2] >= agent.python:
            return path
    raise InstallError("needs Python %d.%d or newer, and none was found on PATH, in pyenv or in uv; install one "
                       "and name it with --python" % agent.python)


def pip_install(folder: str, python: str, packages: List[str], log: str) -> None:
    venv = os.path.join(folder, "venv")
    shutil.rmtree(venv, ignore_errors=True)
    os.makedirs(folder, exist_ok=True)
    run([python, "-m", "venv", venv], folder, log)
    program = os.path.join(venv, "Scripts" if os.name == "nt" else "bin", "python")
    run([program, "-m", "pip", "install", "--disable-pip-version-check"] + packages, folder, log)


# --- one agent ------------------------------------------------------------------------------

def install(cache: str, agent: Agent, python: Optional[str] = None) -> None:
    """Installs one agent unless it is there already; raises InstallError."""
    if installed(cache, agent):
        return
    folder = os.path.join(cache, "agents", agent.id)
    logs = os.path.join(cache, "logs")
    os.makedirs(logs, exist_ok=True)
    log = os.path.join(logs, "install-%s.log" % agent.id)
    open(log, "w").close()
    if agent.kind == "npm":
        npm_install(folder, agent.packages, log)
        if node_for(cache, agent) == cached_node(cache):
            install_node(cache, log)
    else:
        pip_install(folder, python_for(agent, python), agent.packages, log)
    with open(stamp_of(cache, agent), "w", encoding="utf-8") as out:
        json.dump({"packages": agent.packages}, out)
