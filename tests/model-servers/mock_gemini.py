#!/usr/bin/env python3
"""Mock Gemini API server (loopback) that scripts an agent's turns.

Serves  POST /v1beta/models/<model>:streamGenerateContent?alt=sse
        POST /v1beta/models/<model>:generateContent
        POST /v1beta/models/<model>:countTokens
        POST /v1beta/models/<model>:embedContent
        GET  /v1beta/models
What the "model" does is chosen by a [trigger] in the user's last message; see
README.md next to this file.

  python3 mock_gemini.py --port 0          # prints "PORT <n>" once it listens
  python3 mock_gemini.py --port 8765 --log requests.jsonl --cwd /home/user/project

Python 3.8+, standard library only.
"""
import argparse
import itertools
import json
import os
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# --------------------------------------------------------------------------
# Script: what the model does.  A step is one of
#   ("text", str)  ("think", str)  ("call", name, args)  ("slow", n, seconds)
# and a turn is a list of steps.  `done` = number of model turns already made
# (tool-call rounds finished) since the user's last message.
# --------------------------------------------------------------------------

ANSWER = ("Hello from the **mock model**.\n\n"
          "- first item\n"
          "- second item with `code`\n\n"
          "```python\nprint(\"hi\")\n```\n\n"
          "| a | b |\n|---|---|\n| 1 | 2 |\n")

SHELL_TOOLS = ["run_shell_command", "bash", "shell", "execute", "execute_command", "terminal", "shell_command"]
WRITE_TOOLS = ["write_file", "write", "write_text_file", "create_file", "create"]
EDIT_TOOLS = ["replace", "edit", "edit_file", "str_replace", "search_replace"]
READ_TOOLS = ["read_file", "read", "read_text_file", "view"]
TODO_TOOLS = ["write_todos", "todo_write", "todowrite", "todo", "update_plan", "TodoWrite"]
TASK_TOOLS = ["task", "agent", "invoke_agent"]
ASK_TOOLS = ["ask_user", "ask_user_question", "question"]
FETCH_TOOLS = ["web_fetch", "webfetch", "fetch"]

MCP_ARGS = {
    "uap_ping": {},
    "uap_property_set": {"object": "/Main Camera", "component": "Camera", "property": "fieldOfView", "value": 42},
    "uap_asset_delete": {"path": "Assets/Old.mat"},
}
TODOS = ["Read the project", "Change the camera", "Run the tests"]


def find_tool(tools, names):
    """First declared tool whose name is, or ends with, one of `names`."""
    for n in names:
        if n in tools:
            return n
    for n in names:
        for t in tools:
            if t.lower().endswith(n.lower()):
                return t
    return None


def fill(tool, tools, given, cwd):
    """Arguments for `tool`: `given`, renamed and completed to fit its schema."""
    schema = tools.get(tool) or {}
    props = schema.get("properties") or {}
    required = schema.get("required") or []
    alias = {
        "command": ["command", "cmd", "script"],
        "path": ["file_path", "filePath", "absolute_path", "path", "filename", "target_file"],
        "content": ["content", "contents", "text", "file_text"],
        "old": ["old_string", "oldString", "old_str", "oldText", "old_text", "search"],
        "new": ["new_string", "newString", "new_str", "newText", "new_text", "replace"],
    }
    out = {}
    for k, v in given.items():
        if k in props or not props:
            out[k] = v
            continue
        for a in alias.get(k, [k]):
            if a in props:
                out[a] = v
                break
        else:
            if k not in alias:
                out[k] = v
    # pi-style edits: {path, edits: [{oldText, newText}]}
    if "edits" in props and "old" in given:
        out.pop("oldText", None), out.pop("newText", None)
        out["edits"] = [{"oldText": given["old"], "newText": given["new"]}]
    for r in required:
        if r in out:
            continue
        p = props.get(r) or {}
        t = p.get("type")
        t = (t[0] if isinstance(t, list) else t or "string")
        t = t.lower()
        if p.get("enum"):
            out[r] = p["enum"][0]
        elif t == "string":
            out[r] = {"description": "Scripted call", "instruction": "Scripted call", "subagent_type": "general"}.get(r, "mock")
        elif t in ("number", "integer"):
            out[r] = 1
        elif t == "boolean":
            out[r] = False
        elif t == "array":
            out[r] = []
        else:
            out[r] = {}
    return out


def todo_args(tool, tools, step):
    """Todo list in whatever shape the tool's schema asks for."""
    states = ["completed" if i < step else "in_progress" if i == step else "pending"
              for i in range(len(TODOS))]
    schema = tools.get(tool) or {}
    props = schema.get("properties") or {}
    key = next((k for k in ("todos", "plan", "items", "entries") if k in props), "todos")
    item = ((props.get(key) or {}).get("items") or {})
    iprops = item.get("properties") or {"content": {}, "status": {}}
    rows = []
    for i, (text, st) in enumerate(zip(TODOS, states)):
        row = {}
        for name, sub in iprops.items():
            enum = [e for e in (sub.get("enum") or []) if e is not None]
            if name in ("content", "description", "step", "text", "title", "subject"):
                row[name] = text
            elif name == "activeForm":
                row[name] = text
            elif name == "status":
                row[name] = st if not enum or st in enum else enum[0]
            elif name == "priority":
                row[name] = "high" if i == 0 else "medium"
            elif name == "id":
                row[name] = str(i + 1)
        rows.append(row)
    out = {key: rows}
    if "action" in props:
        out["action"] = "write"
    return fill(tool, tools, out, None)


TRIGGER = re.compile(r"\[(tool|shell|edit|replace|read|mcp|plan|multi|task|fetch|think|slow|empty|error)"
                     r"(?::([^\]]*))?\]", re.I)


def json_after(text, m):
    """The JSON object that follows the trigger, or None."""
    rest = text[m.end():].lstrip()
    try:
        return json.JSONDecoder().raw_decode(rest)[0] if rest.startswith("{") else None
    except ValueError:
        return None


def plan_turn(text, done, tools, cwd, groups=(), seen=""):
    """The steps of the next model turn for user text `text`."""
    m = TRIGGER.search(text or "")
    trig, arg = (m.group(1).lower(), m.group(2)) if m else ("", None)
    nl = os.sep if not re.match(r"[A-Za-z]:\\", cwd) else "\\"
    p = lambda name: name if os.path.isabs(name) else cwd.rstrip("/\\") + nl + name

    def call(names, given):
        t = find_tool(tools, names)
        if not t:
            return [("text", "No such tool: %s. Declared: %s" % (names[0], ", ".join(sorted(tools))))]
        return [("text", "I will call `%s`." % t), ("call", t, fill(t, tools, given, cwd))]

    if trig == "tool" and done == 0:                       # [tool:NAME] {json}
        return call([arg or ""], json_after(text, m) or {})
    if trig == "shell" and done == 0:                      # [shell] or [shell:command]
        return call(SHELL_TOOLS, {"command": arg or "echo hi > out.txt"})
    if trig == "edit" and done == 0:                       # [edit] or [edit:name]
        return call(WRITE_TOOLS, {"path": p(arg or "notes.txt"), "content": "line one\nline two\n"})
    if trig == "replace":                                  # [replace]: read README.md, then edit it
        if done == 0:
            return call(READ_TOOLS, {"path": p("README.md")})
        if done == 1:
            return call(EDIT_TOOLS, {"path": p("README.md"), "old": "Hello", "new": "Goodbye"})
    if trig == "read" and done == 0:
        return call(READ_TOOLS, {"path": p(arg or "README.md")})
    if trig == "mcp" and "tool_search" in tools and "tool_call" in tools and not find_tool(tools, [arg or "uap_ping"]):
        name = arg or "uap_ping"                           # Qwen Code: MCP tools behind two built-in ones
        given = json_after(text, m)
        given = MCP_ARGS.get(name, {}) if given is None else given
        full = max(re.findall(r"[\w-]*%s\b" % re.escape(name), seen) or [name], key=len)
        if done == 0:
            return call(["tool_search"], {"query": name})
        if done == 1:
            return call(["tool_call"], {"name": full, "arguments": given})
    elif trig == "mcp" and done == 0:                        # [mcp] or [mcp:tool_name]
        name = arg or "uap_ping"
        given = json_after(text, m)                        # [mcp:tool_name] {json} gives other arguments
        if not find_tool(tools, [name]) and "run_typescript" in tools:     # Mistral Vibe: MCP through code
            group = next((g for g in groups if "unity" in g), (list(groups) or ["mcp_unity_ops"])[0])
            given = MCP_ARGS.get(name, {}) if given is None else given
            code = "async function main() {\n  return await tools.%s.%s(%s);\n}" % (group, name, json.dumps(given))
            return call(["run_typescript"], {"code": code})
        if given is None:
            props = (tools.get(find_tool(tools, [name])) or {}).get("properties") or {}
            given = {k: v for k, v in MCP_ARGS.get(name, {}).items() if k in props}
        return call([name], given)
    if trig == "plan" and done < 3:                        # todo list, moved on twice
        t = find_tool(tools, TODO_TOOLS)
        if t:
            return [("call", t, todo_args(t, tools, done + 1 if done else 0))]
    if trig == "multi" and done == 0:                      # two calls in one turn
        a, b = find_tool(tools, READ_TOOLS), find_tool(tools, SHELL_TOOLS)
        return [("text", "Two calls at once."),
                ("call", a, fill(a, tools, {"path": p("README.md")}, cwd)),
                ("call", b, fill(b, tools, {"command": "echo multi"}, cwd))]
    if trig == "task" and done == 0:                       # sub-agent, which runs [shell]
        return call(TASK_TOOLS, {"description": "Mock sub-task", "prompt": arg or "Say hello."})
    if trig == "fetch" and done == 0:
        return call(FETCH_TOOLS, {"url": "http://127.0.0.1:9/none", "prompt": "http://127.0.0.1:9/none"})
    if trig == "think":
        return [("think", "**Weighing the question** I compare two ways of doing it."),
                ("think", "**Choosing** The second way is shorter."),
                ("text", "I thought about it; the second way is better.\n")]
    if trig == "slow":
        n = int(arg) if (arg or "").isdigit() else 40
        return [("slow", n, 0.25)]
    if trig == "empty":
        return []
    if done:
        return [("text", "Done. The tool answered; round %d finished.\n" % done)]
    return [("text", ANSWER)]


def errors_of(text):
    """(status, mid_stream) when the message asks for an error."""
    m = TRIGGER.search(text or "")
    if m and m.group(1).lower() == "error":
        a = m.group(2) or "500"
        if a == "stream":
            return 200, True
        return (int(a) if a.isdigit() else 500), False
    return None, False


def pieces(text, n=24):
    """Cut text into stream-sized pieces."""
    return [text[i:i + n] for i in range(0, len(text), n)] or [""]


def sample(schema):
    """A smallest value that fits a JSON schema (for structured-output requests)."""
    if not isinstance(schema, dict):
        return "mock"
    if schema.get("enum"):
        return schema["enum"][0]
    for k in ("anyOf", "oneOf", "allOf"):
        if schema.get(k):
            return sample(schema[k][0])
    t = schema.get("type")
    t = (t[0] if isinstance(t, list) else t or ("object" if "properties" in schema else "string")).lower()
    if t == "object":
        return {k: sample(v) for k, v in (schema.get("properties") or {}).items()}
    if t == "array":
        return []
    if t in ("number", "integer"):
        return 1
    if t == "boolean":
        return False
    return "mock"


CWD_RE = re.compile(
    r"(?:working\s+(?:in\s+(?:the\s+)?)?director(?:y|ies)|current\s+directory|workspace|absolute\s+path|\bcwd)[^/]{0,60}?"
    r"(?<![\w.])((?:[A-Za-z]:\\|/)[^\s<>\"'`,)]+)", re.I)


def strings(x):
    """All strings inside a JSON value."""
    if isinstance(x, str):
        yield x
    elif isinstance(x, (list, dict)):
        for y in (x.values() if isinstance(x, dict) else x):
            yield from strings(y)


def guess_cwd(blob, fallback):
    """Project folder: `fallback`, or the first existing folder the prompt calls a working directory."""
    if fallback:
        return fallback
    for m in CWD_RE.finditer("\n".join(strings(blob))):
        path = m.group(1).rstrip(".")
        if os.path.isdir(path):
            return path
    return os.getcwd()


# --------------------------------------------------------------------------
# Gemini wire format
# --------------------------------------------------------------------------
CALL_NO = itertools.count(1)
MODELS = ["gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.5-flash-lite", "gemini-3-pro-preview", "gemini-3-flash-preview"]
ARGS = None
LOG_LOCK = threading.Lock()


def bill(**tokens):
    """What an answer cost, for those who compare it with what an agent reports."""
    if not ARGS.bills:
        return
    with LOG_LOCK, open(ARGS.bills, "a", encoding="utf-8") as f:
        f.write(json.dumps(tokens) + "\n")


def log_request(path, body):
    if not ARGS.log:
        return
    with LOG_LOCK, open(ARGS.log, "a", encoding="utf-8") as f:
        f.write(json.dumps({"path": path, "body": body}) + "\n")


def declared(body):
    tools = {}
    for t in body.get("tools") or []:
        for d in t.get("functionDeclarations") or []:
            tools[d["name"]] = d.get("parametersJsonSchema") or d.get("parameters") or {}
    return tools


def last_user(body):
    """(text of the user's last message, model turns since then)."""
    done, text = 0, ""
    for c in reversed(body.get("contents") or []):
        parts = c.get("parts") or []
        if c.get("role") == "model":
            done += 1
            continue
        if any("functionResponse" in x for x in parts):
            continue
        text = "\n".join(x.get("text", "") for x in parts)
        if TRIGGER.search(text) or done == 0 or not text.startswith(("<", "System:", "Please continue")):
            break
    return text, done


def usage(body, out_chars):
    prompt = 900 + len(json.dumps(body.get("contents") or [])) // 4
    out = max(1, out_chars // 4)
    return {"promptTokenCount": prompt, "candidatesTokenCount": out, "thoughtsTokenCount": 12,
            "cachedContentTokenCount": 256, "totalTokenCount": prompt + out + 12,
            "promptTokensDetails": [{"modality": "TEXT", "tokenCount": prompt}]}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *a):
        pass

    def send_json(self, obj, status=200):
        data = json.dumps(obj).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def api_error(self, status):
        names = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED",
                 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE"}
        self.send_json({"error": {"code": status, "message": "Mock error %d from the model server." % status,
                                  "status": names.get(status, "UNKNOWN")}}, status)

    def do_GET(self):
        if "/models" in self.path:
            self.send_json({"models": [{"name": "models/" + m, "displayName": m, "inputTokenLimit": 1048576,
                                        "outputTokenLimit": 65536,
                                        "supportedGenerationMethods": ["generateContent", "countTokens"]}
                                       for m in MODELS]})
        else:
            self.send_json({"error": {"code": 404, "message": "not found"}}, 404)

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            body = json.loads(raw or b"{}")
        except ValueError:
            body = {}
        log_request(self.path, body)
        m = re.search(r"/models/([^:/?]+):(\w+)", self.path)
        if not m:
            return self.send_json({"error": {"code": 404, "message": "not found"}}, 404)
        model, method = m.groups()
        if method == "countTokens":
            return self.send_json({"totalTokens": len(raw) // 4})
        if method in ("embedContent", "batchEmbedContents"):
            return self.send_json({"embedding": {"values": [0.0] * 8}})
        tools = declared(body)
        text, done = last_user(body)
        blob = [body.get("systemInstruction"), (body.get("contents") or [])[:2]]
        cwd = guess_cwd(blob, ARGS.cwd)
        gen = body.get("generationConfig") or {}
        schema = gen.get("responseJsonSchema") or gen.get("responseSchema")
        if schema or gen.get("responseMimeType") == "application/json":   # router, checker, ...
            val = sample(schema or {})
            if isinstance(val, dict) and "next_speaker" in val:
                val["next_speaker"] = "user"
            steps = [("text", json.dumps(val))]
        else:
            status, mid = errors_of(text)
            if status and not mid:
                return self.api_error(status)
            steps = plan_turn(text, done, tools, cwd) if tools else [("text", "Mock answer without tools.")]
            if mid:
                steps = [("text", "This answer breaks off"), ("break",)]
        chunks = self.chunks(steps, model, body)
        if method == "generateContent":
            parts, last = [], {}
            for c, _ in chunks:
                last = c
                parts += c["candidates"][0]["content"]["parts"]
            last["candidates"][0]["content"]["parts"] = parts
            return self.send_json(last)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            for c, pause in chunks:
                if c is None:
                    return
                self.wfile.write(b"data: " + json.dumps(c).encode() + b"\r\n\r\n")
                self.wfile.flush()
                time.sleep(pause)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def chunks(self, steps, model, body):
        def chunk(parts, finish=None, n=0):
            cand = {"content": {"role": "model", "parts": parts}, "index": 0}
            if finish:
                cand["finishReason"] = finish
            return {"candidates": [cand], "modelVersion": model, "responseId": "mock-response",
                    "usageMetadata": usage(body, n)}
        n = 0
        for s in steps:
            if s[0] == "text":
                for x in pieces(s[1]):
                    n += len(x)
                    yield chunk([{"text": x}], None, n), 0.02
            elif s[0] == "think":
                yield chunk([{"text": s[1], "thought": True}], None, n), 0.05
            elif s[0] == "call":
                n += len(json.dumps(s[2]))
                fc = {"name": s[1], "args": s[2]}
                if ARGS.call_ids:
                    fc["id"] = "mock_call_%d" % next(CALL_NO)
                yield chunk([{"functionCall": fc}], None, n), 0.02
            elif s[0] == "slow":
                for i in range(s[1]):
                    n += 8
                    yield chunk([{"text": "word%d " % (i + 1)}], None, n), s[2]
            elif s[0] == "break":
                yield None, 0
                return
        use = usage(body, n)
        cached = use["cachedContentTokenCount"]
        bill(model=model, input=use["promptTokenCount"] - cached, thoughts=use["thoughtsTokenCount"],
             output=use["candidatesTokenCount"], cache_read=cached, cache_write=0)
        yield chunk([{"text": ""}] if steps else [], "STOP", n), 0


class Server(ThreadingHTTPServer):
    daemon_threads = True


def main():
    global ARGS
    ap = argparse.ArgumentParser(description="Mock Gemini API on loopback")
    ap.add_argument("--port", type=int, default=0, help="0 = any free port, printed on the first line")
    ap.add_argument("--host", default="127.0.0.1")
    ap.add_argument("--log", help="append each request body to this JSONL file")
    ap.add_argument("--bills", help="append the tokens of each answer to this JSONL file")
    ap.add_argument("--cwd", help="project folder for file tools (default: taken from the agent's own prompt)")
    ap.add_argument("--call-ids", action="store_true", help="give functionCall parts an id")
    ARGS = ap.parse_args()
    srv = Server((ARGS.host, ARGS.port), Handler)
    print("PORT %d" % srv.server_address[1], flush=True)
    try:
        srv.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
