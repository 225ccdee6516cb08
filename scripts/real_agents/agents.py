"""The agents: what to install, how to start and configure each, and what can be expected of it."""
import json
import os
from dataclasses import dataclass, field
from typing import Callable, Dict, List, Optional, Tuple


@dataclass
class Place:
    """Where an agent runs: its installed files, a fresh home, a fresh project, its model server."""

    cache: str
    agent: str
    home: str
    project: str
    port: int = 0
    node: str = "node"

    @property
    def root(self) -> str:
        return os.path.join(self.cache, "agents", self.agent)

    def npm_program(self, package: str, name: str) -> List[str]:
        """`node FILE` for a program of an npm package, so that no shim or PATH decides which node."""
        folder = os.path.join(self.root, "node_modules", *package.split("/"))
        with open(os.path.join(folder, "package.json"), encoding="utf-8") as text:
            programs = json.load(text)["bin"]
        return [self.node, os.path.join(folder, os.path.normpath(programs[name]))]

    def npm_shim(self, name: str) -> str:
        return os.path.join(self.root, "node_modules", ".bin", name)

    def venv(self, name: str) -> str:
        return os.path.join(self.root, "venv", "Scripts" if os.name == "nt" else "bin", name)

    def write(self, path: str, text: str) -> None:
        path = os.path.join(self.home, *path.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)

    def url(self, path: str = "") -> str:
        return "http://127.0.0.1:%d%s" % (self.port, path)


Environment = Dict[str, str]


@dataclass
class Agent:
    id: str
    name: str
    version: str
    packages: List[str]
    server: str = ""                  # which scripted model server; "" when it is only installed
    kind: str = "npm"                 # or "pip"
    node: int = 0                     # oldest major version of Node that will do
    python: Tuple[int, int] = (3, 8)  # oldest version of Python that will do
    command: Callable[[Place], List[str]] = lambda place: []
    backend: str = ""                 # the preset that is run instead, for one that does not speak ACP
    shown_command: str = ""           # the start command as a person types it
    shown_settings: str = ""          # what has to be set so that it asks and finds its model
    setup: Callable[[Place], Environment] = lambda place: {}
    mode: Optional[str] = None        # passed to exec as --mode
    prompts: Dict[str, str] = field(default_factory=dict)
    edits: Optional[Tuple[str, str]] = None  # what its own prompt of edit changes
    mcp_tool: str = "uap_property_set"  # the one that the prompt of mcp-call makes it call
    asks: Tuple[str, ...] = ("shell-allowed", "shell-rejected", "edit", "mcp-call")
    client_tools: str = ""            # passed to exec as --client-tools
    shows_diff: bool = True
    shows_command: bool = True        # the tool call of a command holds the command
    never_finished: Tuple[str, ...] = ()  # scenarios whose tool calls get no final status
    # What the tokens of a turn cover: "turn" (its model calls), "last" (the last one), or "" (not told).
    bills: str = "turn"
    reports_usage: bool = True        # its context use can be known from what it sends
    # How a failing model call is told: "error" (the prompt fails), "text" (as the answer's text),
    # "hidden" (an empty turn).
    model_error: str = "error"
    not_possible: Dict[str, str] = field(default_factory=dict)  # scenario -> why
    load_next_minute: bool = False    # a session cannot be loaded in the minute it was made in
    notes: List[str] = field(default_factory=list)

    def prompt(self, scenario: str) -> str:
        return self.prompts.get(scenario) or PROMPTS[self.server][scenario]

    def level_prompts(self) -> Dict[str, str]:
        """What the scenario level-read-only makes the agent do, one prompt each."""
        line = "uap_ping; echo hi > out.txt"
        shell = "[escalate:%s] please" if self.server == "openai" else "[shell:%s] please"
        stepped = self.server in ("openai", "anthropic")
        return {"ping": "[mcp] please",
                "set": "[mcp-set] please" if stepped else "[mcp:uap_property_set] please",
                "delete": "[mcp-delete] please" if stepped else "[mcp:uap_asset_delete] please",
                "shell": shell % line}

    def edited(self) -> Tuple[str, str]:
        """The file that the prompt of the scenario edit changes, and what it then holds."""
        return self.edits or EDITS[self.server]


# The prompts by model server; tests/model-servers/README.md explains the triggers.
SHARED = {
    "plain-answer": "hello",
    "shell-allowed": "[shell] please",
    "shell-rejected": "[shell] please",
    "cancel": "[slow:120] please",
    "model-error": "[error:400] please",
    "usage": "[shell] please",
}
STEPPED = dict(SHARED, **{"edit": "[edit] please", "mcp-call": "[mcp-set] please"})
SINGLE = dict(SHARED, **{"edit": "[replace] please", "mcp-call": "[mcp:uap_property_set] please"})
PROMPTS = {"openai": STEPPED, "anthropic": STEPPED, "gemini": SINGLE, "chat": SINGLE}
EDITS = {"openai": ("hello.txt", "hello there"), "anthropic": ("hello.txt", "hello there"),
         "gemini": ("README.md", "Goodbye"), "chat": ("README.md", "Goodbye")}


# --- configuration --------------------------------------------------------------------------

def setup_codex(place: Place) -> Environment:
    place.write(".codex/config.toml", """\
model = "gpt-5.5"
model_provider = "mock"
approval_policy = "on-request"
sandbox_mode = "workspace-write"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.mock]
name = "Mock"
base_url = "%s"
env_key = "MOCK_OPENAI_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
""" % place.url("/v1"))
    return {"MOCK_OPENAI_KEY": "dummy", "NO_BROWSER": "1"}


def setup_claude(place: Place) -> Environment:
    return {"ANTHROPIC_BASE_URL": place.url(), "ANTHROPIC_API_KEY": "dummy", "IS_SANDBOX": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "CLAUDE_CODE_MAX_RETRIES": "2"}


def setup_claude_code(place: Place) -> Environment:
    return dict(setup_claude(place), PATH=os.path.dirname(place.npm_shim("claude")))


def setup_gemini(place: Place) -> Environment:
    place.write(".gemini/settings.json", json.dumps({
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "model": {"name": "gemini-2.5-pro"}}, indent=1))
    return {"GEMINI_API_KEY": "dummy", "GOOGLE_GEMINI_BASE_URL": place.url(),
            "GEMINI_CLI_TRUST_WORKSPACE": "true"}


def setup_opencode(place: Place) -> Environment:
    place.write(".config/opencode/opencode.json", json.dumps({
        "autoupdate": False, "share": "disabled",
        "model": "mock/mock-model", "small_model": "mock/mock-model", "enabled_providers": ["mock"],
        "permission": {"edit": "ask", "bash": "ask", "webfetch": "ask", "unity-ops*": "ask"},
        "provider": {"mock": {
            "npm": "@ai-sdk/openai-compatible", "name": "Mock",
            "options": {"baseURL": place.url("/v1"), "apiKey": "dummy"},
            "models": {"mock-model": {
                "name": "Mock Model", "tool_call": True, "reasoning": True,
                "limit": {"context": 200000, "output": 8192}, "cost": {"input": 1, "output": 2}}}}}},
        indent=1))
    return {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1", "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1"}


def setup_qwen(place: Place) -> Environment:
    place.write(".qwen/settings.json", json.dumps({
        "security": {"auth": {"selectedType": "openai"}},
        "general": {"enableAutoUpdate": False},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False}}, indent=1))
    return {"OPENAI_BASE_URL": place.url("/v1"), "OPENAI_API_KEY": "dummy", "OPENAI_MODEL": "mock-model"}


def setup_vibe(place: Place) -> Environment:
    place.write(".vibe/config.toml", """\
active_model = "mock"
enable_telemetry = false
enable_update_checks = false
enable_auto_update = false

[[providers]]
name = "mock"
api_base = "%s"
api_key_env_var = "MOCK_API_KEY"
api_style = "openai"
backend = "generic"

[[models]]
name = "mock-model"
provider = "mock"
alias = "mock"
""" % place.url("/v1"))
    return {"MOCK_API_KEY": "dummy", "MISTRAL_API_KEY": "dummy"}


def setup_pi(place: Place) -> Environment:
    place.write(".pi/agent/models.json", json.dumps({"providers": {"mock": {
        "baseUrl": place.url("/v1"), "api": "openai-completions", "apiKey": "dummy",
        "models": [{"id": "mock-model", "name": "Mock Model", "reasoning": True, "input": ["text"],
                    "cost": {"input": 1, "output": 2, "cacheRead": 0, "cacheWrite": 0},
                    "contextWindow": 200000, "maxTokens": 8192}]}}}, indent=1))
    place.write(".pi/agent/settings.json",
                json.dumps({"defaultProvider": "mock", "defaultModel": "mock-model"}))
    return {"PI_OFFLINE": "1", "PATH": os.path.dirname(place.npm_shim("pi"))}


def setup_fast_agent(place: Place) -> Environment:
    return {"GENERIC_API_KEY": "dummy", "GENERIC_BASE_URL": place.url("/v1")}


# --- the table ------------------------------------------------------------------------------

AGENTS = [
    Agent(
        id="codex", name="Codex", version="codex-acp 2.6.0, codex 0.166.0",
        packages=["@agentclientprotocol/codex-acp@2.6.0"], node=20, server="openai",
        command=lambda p: p.npm_program("@agentclientprotocol/codex-acp", "codex-acp"),
        shown_command="codex-acp",
        shown_settings="`--mode read-only`; model provider in `~/.codex/config.toml`",
        setup=setup_codex, mode="read-only",
        prompts={"shell-allowed": "[escalate] please", "shell-rejected": "[escalate] please",
                 "mcp-call": "[mcp-delete] please"},
        mcp_tool="uap_asset_delete",
        model_error="text",
        notes=["Starts in mode `agent`, where a reviewing model and not the user answers. `--mode read-only` asks the "
               "user for edits, for commands that want to leave the sandbox and for MCP tools that may destroy; "
               "`--mode workspace-write` does not ask for edits inside the project.",
               "In every mode it runs MCP tools unasked whose server says of them that they only read, or that they "
               "neither destroy anything nor reach outside (`readOnlyHint`, `destructiveHint`, `openWorldHint`); it "
               "asks for a tool of which nothing is said. So servers reached by a command or by HTTP are passed to it "
               "through `agent-panel mcp-relay`, which passes on all messages and takes the `annotations` out of lists "
               "of tools: every call is asked for and judged. A server that wants a sign-in of Codex's own, and any "
               "other that it is to reach by itself, stands in `~/.codex/config.toml`; there, "
               "`default_tools_approval_mode = \"prompt\"` makes it ask. What ran unasked carries the mark "
               "\"not asked\".",
               "A rejected command ends the turn with stop reason `cancelled`."]),
    Agent(
        id="claude-acp", name="Claude through ACP", version="claude-agent-acp 0.101.0",
        packages=["@agentclientprotocol/claude-agent-acp@0.101.0"], node=22, server="anthropic",
        command=lambda p: p.npm_program("@agentclientprotocol/claude-agent-acp", "claude-agent-acp"),
        shown_command="claude-agent-acp", shown_settings="`--mode default`",
        setup=setup_claude, mode="default",
        notes=["Starts in mode `auto`, where a classifier model answers; `--mode default` asks the user.",
               "A rejected call fails and the turn goes on."]),
    Agent(
        id="gemini", name="Gemini CLI", version="0.61.0", packages=["@google/gemini-cli@0.61.0"],
        node=20, server="gemini",
        command=lambda p: p.npm_program("@google/gemini-cli", "gemini") + ["--acp"],
        shown_command="gemini --acp",
        shown_settings="`security.auth.selectedType` in `~/.gemini/settings.json`; folder trusted",
        setup=setup_gemini, load_next_minute=True,
        notes=["Asks for every tool by default.",
               "In a folder that it does not trust it silently leaves out the MCP servers of the session. Trust is "
               "given in its own terminal interface, or by `GEMINI_CLI_TRUST_WORKSPACE=true`, as here.",
               "A session cannot be loaded within the clock minute it was made in (the agent then empties it): "
               "the second prompt waits for the next minute."]),
    Agent(
        id="opencode", name="OpenCode", version="1.18.33", packages=["opencode-ai@1.18.33"],
        node=20, server="chat",
        command=lambda p: [p.npm_shim("opencode"), "acp"],
        shown_command="opencode acp", shown_settings="`permission` block in `opencode.json`, else it never asks",
        setup=setup_opencode, bills="last",
        notes=["Asks only for what the `permission` block of its configuration names.",
               "A rejected call ends the turn, with stop reason `end_turn`."]),
    Agent(
        id="qwen", name="Qwen Code", version="0.24.4", packages=["@qwen-code/qwen-code@0.24.4"],
        node=22, server="chat",
        command=lambda p: p.npm_program("@qwen-code/qwen-code", "qwen") + ["--acp"],
        shown_command="qwen --acp", shown_settings="`--mode default`",
        setup=setup_qwen, mode="default",
        notes=["Starts in mode `auto`, where a model judges each action; `--mode default` asks the user.",
               "MCP tools are deferred: it calls `tool_search`, then `tool_call`."]),
    Agent(
        id="vibe", name="Mistral Vibe", version="3.0.2", packages=["mistral-vibe==3.0.2"],
        kind="pip", python=(3, 12), server="chat",
        command=lambda p: [p.venv("vibe-acp")],
        shown_command="vibe-acp", shown_settings="`--mode ask`",
        setup=setup_vibe, mode="ask",
        notes=["Starts in mode `accept-edits`; `--mode ask` asks for each tool.",
               "MCP tools are reached through its `run_typescript` tool."]),
    Agent(
        id="pi", name="pi", version="pi-acp 0.0.34, pi 1.6.0",
        packages=["pi-acp@0.0.34", "@earendil-works/pi-coding-agent@1.6.0"], node=22, server="chat",
        command=lambda p: p.npm_program("pi-acp", "pi-acp"),
        shown_command="pi-acp", shown_settings="`pi` on PATH",
        setup=setup_pi, bills="", asks=(), model_error="hidden",
        not_possible={"shell-rejected": "asks for no permission",
                      "mcp-call": "has no MCP",
                      "level-read-only": "has no MCP and asks for nothing",
                      "model-error": "hides the error: the turn ends with no text and `end_turn`"},
        notes=["Asks for no permission and has no MCP."]),
    Agent(
        id="fast-agent", name="fast-agent", version="0.10.48", packages=["fast-agent-mcp==0.10.48"],
        kind="pip", python=(3, 13), server="chat",
        command=lambda p: [p.venv("fast-agent-acp"), "--model", "generic.mock-model", "-x"],
        shown_command="fast-agent-acp --model MODEL -x", shown_settings="`-x` for shell and file tools; `--client-tools fs,terminal`",
        setup=setup_fast_agent, bills="", client_tools="fs,terminal", reports_usage=False,
        # Through the client it can write files only, not edit them.
        prompts={"edit": "[edit] please"}, edits=("notes.txt", "line one"),
        notes=["The program comes from the package `fast-agent-mcp`; the one of `fast-agent-acp` 0.10.48 lacks its "
               "module.",
               "Without files and a terminal of the client it runs commands and edits files without asking, and a "
               "command's tool call holds no command and never gets a final status; only MCP tools are asked for. With "
               "them it asks for all, so it is offered them unless the person turns that off."]),
    Agent(
        id="claude-code", name="Claude Code", version="2.1.332",
        packages=["@anthropic-ai/claude-code@2.1.332"], node=20, server="anthropic", backend="claude-code",
        shown_command="claude -p --input-format stream-json --output-format stream-json",
        shown_settings="`--mode default`", setup=setup_claude_code, mode="default",
        notes=["Speaks its own dialect, in which it is started by the backend `claude-code`.",
               "A rejected call fails and the turn goes on."]),
]
BY_ID = {agent.id: agent for agent in AGENTS}
RUNNABLE = [agent for agent in AGENTS if agent.server]
