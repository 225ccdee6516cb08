"""The command line of scripts/real-agents."""
import argparse
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import List, Optional

from . import execrun, report
from .agents import AGENTS, BY_ID, RUNNABLE
from .install import InstallError, install, installed
from .scenarios import SCENARIOS, Result, play
from .servers import REPOSITORY

DEFAULT_CACHE = os.path.join(REPOSITORY, ".cache", "real-agents")
LOCK = threading.Lock()


def say(text: str) -> None:
    print(text, flush=True)


def do_install(args) -> int:
    failed = 0
    for agent in [BY_ID[name] for name in args.agents or list(BY_ID)]:
        say("%-12s %s" % (agent.id, " ".join(agent.packages)))
        try:
            install(args.cache, agent, args.python)
        except InstallError as error:
            failed = 1
            say("%-12s not installed: %s" % ("", error))
    return failed


def do_list(args) -> int:
    for agent in AGENTS:
        state = "installed" if installed(args.cache, agent) else "not installed"
        say("%-12s %-34s %s%s" % (agent.id, agent.version, state, "" if agent.server else ", not run"))
    say("scenarios: " + " ".join(SCENARIOS))
    return 0


def find_binary(given: Optional[str]) -> Optional[str]:
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(REPOSITORY, "target"))
    names = [given] if given else [os.path.join(target, kind, "agent-panel") for kind in ("release", "debug")]
    there = [os.path.abspath(name) for name in names if os.access(name, os.X_OK)]
    return max(there, key=os.path.getmtime) if there else None


def version_of(binary: str) -> str:
    out = subprocess.run([binary, "--version"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL).stdout
    return out.decode(errors="replace").strip() or os.path.basename(binary)


def do_run(args) -> int:
    binary = find_binary(args.binary)
    if not binary:
        say("no agent-panel binary: build one (cargo build) or name it with --binary")
        return 2
    program, date = version_of(binary), time.strftime("%Y-%m-%d")
    agents = [BY_ID[name] for name in args.agent or [agent.id for agent in RUNNABLE]]
    names = args.scenario or list(SCENARIOS)
    data, failed, stopped = report.load(), [], threading.Event()

    def one(agent, name) -> Result:
        result = play(agent, name, args.cache, binary, args.keep)
        with LOCK:
            if stopped.is_set():
                return result
            report.merge(data, agent.id, name, result, program, date)
            if not args.no_report:
                report.write(data)
            say("%s %-10s %-14s %5.1f s" % (report.MARKS[result.status], agent.id, name, result.seconds))
            if result.status == "fail":
                failed.append((agent.id, name))
                for reason in result.reasons:
                    say("    %s" % reason)
        return result

    with ThreadPoolExecutor(max_workers=args.jobs) as pool:
        waiting = []
        for agent in agents:
            if not installed(args.cache, agent):
                try:
                    say("installing %s" % agent.id)
                    install(args.cache, agent, args.python)
                except InstallError as error:
                    say("✗ %-10s not installed: %s" % (agent.id, error))
                    failed.append((agent.id, "install"))
                    report.not_installed(data, agent.id, str(error))
                    continue
            waiting += [pool.submit(one, agent, name) for name in names]
        try:
            for job in waiting:
                job.result()
        except KeyboardInterrupt:
            stopped.set()
            for job in waiting:
                job.cancel()
            for process in list(execrun.RUNNING):
                process.kill()
            say("stopped")
            return 130
    if not args.no_report:
        report.write(data)
    if failed:
        say("failed: " + ", ".join("%s %s" % pair for pair in failed))
        say("their files are in %s" % os.path.join(args.cache, "scratch"))
    return 1 if failed else 0


def do_report(args) -> int:
    report.write(report.load())
    return 0


def main(argv: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="real-agents", description="Runs agent-panel exec with real agents.")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--cache", type=os.path.abspath, default=DEFAULT_CACHE,
                        help="where agents are installed and run (.cache/real-agents)")
    common.add_argument("--python", help="interpreter for the agents written in Python")
    commands = parser.add_subparsers(dest="what", metavar="install|run|list|report")
    commands.required = True
    one = commands.add_parser("install", parents=[common], help="install pinned agents")
    one.add_argument("agents", nargs="*", metavar="AGENT", help="all of them if none is named")
    one.set_defaults(do=do_install)
    one = commands.add_parser("run", parents=[common], help="run scenarios and write docs/agents.md")
    one.add_argument("--agent", action="append", choices=[agent.id for agent in RUNNABLE], metavar="ID")
    one.add_argument("--scenario", action="append", choices=list(SCENARIOS), metavar="NAME")
    one.add_argument("--binary", help="the agent-panel program (the newest under target/)")
    one.add_argument("--jobs", type=int, default=1, help="scenarios at the same time (1)")
    one.add_argument("--keep", action="store_true", help="keep the scratch folders, also of what passed")
    one.add_argument("--no-report", action="store_true", help="leave docs/agents.* alone")
    one.set_defaults(do=do_run)
    commands.add_parser("list", parents=[common], help="agents and scenarios").set_defaults(do=do_list)
    commands.add_parser("report", parents=[common], help="write docs/agents.md anew from the stored results"
                        ).set_defaults(do=do_report)
    args = parser.parse_args(argv)
    unknown = [name for name in getattr(args, "agents", None) or [] if name not in BY_ID]
    if unknown:
        parser.error("no such agent: %s; there are %s" % (", ".join(unknown), ", ".join(BY_ID)))
    return args.do(args)


if __name__ == "__main__":
    sys.exit(main())
