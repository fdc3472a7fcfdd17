import { constants } from 'node:fs'
import { createInterface } from 'node:readline'
import type { CodeAnswer, CodeProblem, CodeReply } from './code-messages.js'

// Runs in a process of its own, inside a sandbox: Pyodide itself is no boundary. One line of JSON is one message.

/** The part of Pyodide that is used here; the package is optional. */
interface Pyodide {
  readonly globals: { set(name: string, value: unknown): void }
  runPython(code: string): unknown
  runPythonAsync(code: string, options?: { filename: string }): Promise<unknown>
}
interface PyodideModule {
  loadPyodide(options: object): Promise<Pyodide>
}

/** What Python code finds in its global scope. `_call` is a function of the host that takes and returns JSON. */
const PYTHON_PRELUDE = `
import json as _json

class ToolError(Exception):
    def __init__(self, error):
        super().__init__(error["message"])
        self.error_class = error.get("error_class")
        self.error_code = error.get("error_code")

async def call_tool(name, input=None, /, **fields):
    answer = _json.loads(await _call(name, _json.dumps({**(input or {}), **fields})))
    if "error" in answer:
        raise ToolError(answer["error"])
    return answer["value"]

class _Tools:
    def __init__(self, name):
        self._name = name

    def __getattr__(self, key):
        if key.startswith("__"):
            raise AttributeError(key)
        return _Tools(f"{self._name}.{key}" if self._name else key)

    def __call__(self, input=None, /, **fields):
        return call_tool(self._name, input, **fields)

tools = _Tools("")
`

// The file system of Emscripten asks for these constants in a way that the permissions of this process forbid.
Object.assign(process, { binding: () => ({ fs: constants }) })

const say = (reply: CodeReply): void => void process.stdout.write(`${JSON.stringify(reply)}\n`)
const log = (text: string): void => say({ kind: 'log', text })

const [packageUrl = ''] = process.argv.slice(2)
const lines = createInterface({ input: process.stdin })
const open = new Map<number, (json: string) => void>()
let lastId = 0

lines.once('line', (first) => {
  const { code } = JSON.parse(first) as { code: string }
  lines.on('line', (line) => {
    const { id, json } = JSON.parse(line) as CodeAnswer
    open.get(id)?.(json)
    open.delete(id)
  })
  void run(code)
})

function call(name: string, json: string): Promise<string> {
  const id = ++lastId
  say({ kind: 'call', id, name, json })
  return new Promise((resolve) => open.set(id, resolve))
}

async function run(code: string): Promise<void> {
  const { loadPyodide } = (await import(packageUrl)) as PyodideModule
  const python = await loadPyodide({ jsglobals: {}, env: { HOME: '/home' }, stdout: log, stderr: log })
  python.globals.set('_call', call)
  python.runPython(PYTHON_PRELUDE)
  say({ kind: 'ready' })
  let value: unknown
  try {
    value = await python.runPythonAsync(code, { filename: 'code.py' })
  } catch (error) {
    return end(error, isSyntaxError(error) ? 'syntax' : 'thrown')
  }
  try {
    python.globals.set('_value', value)
    say({ kind: 'value', json: String(python.runPython('_json.dumps(_value)')) })
  } catch (error) {
    end(error, 'not_json')
  }
}

function isSyntaxError(error: unknown): boolean {
  return /^(?:SyntaxError|IndentationError|TabError)$/.test(String((error as { type?: unknown }).type))
}

/** The last line of the traceback, and the last line of the code in it. */
function end(error: unknown, problem: CodeProblem): void {
  const text = String((error as Error).message ?? error).trimEnd()
  const last = text.slice(text.lastIndexOf('\n') + 1)
  if (last.startsWith('MemoryError')) return say({ kind: 'problem', problem: 'memory', message: '' })
  const place = [...text.matchAll(/File "code\.py", line (\d+)/g)].at(-1)?.[1]
  say({ kind: 'problem', problem, message: place === undefined ? last : `${last} (line ${place})` })
}
