import { toolOutput } from '../../../catalog/tool-output.js'
import { createDraft } from '../../../catalog/create-draft.js'
import type { ExecuteContext } from '../../../catalog/execute-context.js'
import type { ToolDraft } from '../../../catalog/tool-draft.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import { ownCommand } from '../../../platform/text/own-command.js'
import { failure } from '../../http/to-failure.js'
import type { OpenBuiltin } from '../builtin.js'
import { callAnswer } from './call-answer.js'
import type { CallAnswer, CodeProblem } from './code-messages.js'
import { runCode, type CodeEnd, type CodeRun } from './run-code.js'
import { findPyodide, runPython } from './run-python.js'

const MAX_LOG_CHARS = 20_000
/** Each run has memory and a thread of its own, and code can start code. */
const MAX_RUNS = 32

/** The bounds of one run. */
interface CodeLimits {
  readonly timeoutMs: number
  readonly memoryMb: number
  readonly maxCalls: number
}

interface CodeInput {
  readonly code: string
  readonly language?: 'javascript' | 'python'
}

/** What a run needs besides its input. */
interface CodeParts {
  readonly limits: CodeLimits
  /** The path of Pyodide; undefined where it is not installed. */
  readonly pyodide: string | undefined
  /** Paths whose content Python does not see. */
  readonly hidden: readonly string[]
  /** The runs that have not ended. */
  readonly running: Set<string>
}

/** A tool that runs code which calls the other tools of the caller. */
export const open: OpenBuiltin<'code'> = async (
  { timeoutMs = 30_000, memoryMb = 64, maxCalls = 200 },
  { storage },
) => {
  const { own = [], secret = [] } = storage.protectedPaths ?? {}
  const limits = { timeoutMs, memoryMb, maxCalls }
  const parts = { limits, pyodide: findPyodide(), hidden: [...own, ...secret], running: new Set<string>() }
  return { drafts: [codeRun(parts)] }
}

const PYTHON_DESCRIPTION =
  'With language "python" the code is Python: "await tools.<name>(field=value)" or "await call_tool(name, input)"; the value of the last expression is returned.'

function codeRun(parts: CodeParts): ToolDraft {
  const hasPython = parts.pyodide !== undefined
  return createDraft({
    namespace: 'local.code',
    name: 'code.run',
    toolId: 'tool_code_run',
    title: 'Run code',
    description: [
      'Run JavaScript that calls your other tools and combines their results; only what it returns comes back to you.',
      'Call a tool with "await tools.<name>(input)" or "await callTool(name, input)", several at once with Promise.all. A failed call throws a ToolError with message and error_class.',
      'End with "return value" (JSON). console.log is shown too. There is no network, no file, no timer and no module: only the tools.',
      ...(hasPython ? [PYTHON_DESCRIPTION] : []),
    ].join(' '),
    searchHint: 'run javascript code that combines many tool calls',
    kind: 'code_execution',
    externalMappings: [{ source: 'builtin', function_name: 'code.run' }],
    input: {
      strict: true,
      modelSchema: {
        type: 'object',
        properties: {
          code: { type: 'string', minLength: 1, description: 'The body of an async function.' },
          ...(hasPython && { language: { enum: ['javascript', 'python'], default: 'javascript' } }),
          description: { type: 'string', description: 'What the code does, in one sentence.' },
        },
        required: ['code'],
        additionalProperties: false,
      },
      // A ref in a text of code is a text.
      refs: 'keep',
    },
    output: {
      schema: {
        type: 'object',
        properties: {
          value: { description: 'What the code returned.' },
          log: { type: 'string' },
          calls: { type: 'integer' },
        },
        required: ['value', 'calls'],
        additionalProperties: false,
      },
      toModel: shownToModel,
    },
    // By itself it only computes. Each call that it makes is judged as a call of its own.
    facts: {
      is_read_only: true,
      is_destructive: false,
      is_open_world: false,
      is_concurrency_safe: true,
      requires_user_interaction: false,
      requires_exclusive_context: false,
    },
    reach: { runs: 'in_process', hosts: [] },
    classifierInput: ({ code }: CodeInput) => code,
    permission: {
      risk_level: 'medium',
      access_kinds: ['code_execution'],
      write_effects: ['none'],
      approval_required: false,
    },
    execution: {
      kind: 'embedded_runtime',
      // Its own time is limited by the settings; the calls that it waits for have limits of their own.
      timeoutMs: 24 * 60 * 60 * 1000,
      interruptBehavior: 'cancel',
      sandboxProfile: 'quickjs',
      supports: ['progress', 'cancel', 'result_persistence', 'sandboxing', 'offline'],
    },
    execute: (input: CodeInput, context) => execute(input, context, parts),
  })
}

async function execute(
  { code, language }: CodeInput,
  context: ExecuteContext,
  parts: CodeParts,
): Promise<unknown> {
  const { limits } = parts
  const log = createLog()
  let calls = 0
  let ended = 0
  let succeeded = 0
  const call = async (name: string, input: unknown): Promise<CallAnswer> => {
    if (++calls > limits.maxCalls)
      return {
        error: { message: `One run may call ${limits.maxCalls} tools; return and go on in another run.` },
      }
    try {
      const answer = await callAnswer(await context.callTool({ name, input }), context)
      if ('value' in answer) succeeded++
      ended++
      context.progress(calls === 1 ? 'its call has ended' : `${ended} of ${calls} calls have ended`)
      return answer
    } catch (error) {
      return { error: { message: errorMessage(error) } }
    }
  }
  const run = { code, ...limits, signal: context.signal, call, log: log.add }
  const end = await counted(context.invocationId, parts, () =>
    language === 'python' ? runInSandbox(run, parts) : runCode(run),
  )
  if (end.kind === 'problem') throw codeFailure(end, { limits, calls, succeeded, log: log.text() })
  const text = log.text()
  return toolOutput({ structured: { value: end.value, calls, ...(text !== '' && { log: text }) } })
}

/** Refuses a run too many. It cannot wait for others to end: one of them may be the run that waits for it. */
async function counted(id: string, { running }: CodeParts, run: () => Promise<CodeEnd>): Promise<CodeEnd> {
  if (running.size >= MAX_RUNS)
    throw failure(`${MAX_RUNS} runs of code are under way; wait until one has ended.`, {
      errorClass: 'execution_failed',
      code: 'toolcrib.code_over_limit',
      nothingHappened: true,
    })
  running.add(id)
  try {
    return await run()
  } finally {
    running.delete(id)
  }
}

/** Python runs inside a sandbox or not at all. */
async function runInSandbox(run: CodeRun, { pyodide, hidden }: CodeParts): Promise<CodeEnd> {
  const { findSandbox } = await import('../../../platform/sandbox/find-sandbox.js')
  const { sandbox, problem } = await findSandbox()
  if (pyodide !== undefined && sandbox) return runPython(run, { pyodide, sandbox, hidden })
  throw failure(`Python runs only inside a sandbox, and there is none: ${problem}`, {
    errorClass: 'setup_required',
    code: 'toolcrib.setup_required',
    nothingHappened: true,
  })
}

/** Collects what the code prints, up to a limit. */
function createLog(): { add(text: string): void; text(): string } {
  let kept = ''
  let isCut = false
  return {
    add(text) {
      if (isCut) return
      kept += `${text}\n`
      if (kept.length <= MAX_LOG_CHARS) return
      isCut = true
      kept = `${kept.slice(0, MAX_LOG_CHARS)}\n… more was printed and is not shown.\n`
    },
    text: () => kept,
  }
}

function codeFailure(
  { problem, message }: { problem: CodeProblem; message: string },
  { limits, calls, succeeded, log }: { limits: CodeLimits; calls: number; succeeded: number; log: string },
): Error {
  const made = succeeded === 0 ? '' : ` Before that, ${succeeded} of its calls succeeded.`
  const printed = log === '' ? '' : `\nPrinted before:\n${log}`
  const facts = { needsOtherArguments: true, nothingHappened: calls === 0 }
  const sentence = `${problemSentence(problem, message, limits)}${made}${printed}`
  if (problem === 'time')
    return failure(sentence, { errorClass: 'timeout', code: 'toolcrib.code_over_limit', ...facts })
  const code = problem === 'memory' ? 'toolcrib.code_over_limit' : 'toolcrib.code_failed'
  return failure(sentence, { errorClass: 'execution_failed', code, ...facts })
}

function problemSentence(problem: CodeProblem, message: string, { timeoutMs, memoryMb }: CodeLimits): string {
  switch (problem) {
    case 'syntax':
      return `The code cannot be parsed: ${message}.`
    case 'thrown':
      return `The code threw an error: ${withoutStop(message)}.`
    case 'not_json':
      return `The returned value cannot be written as JSON: ${message}.`
    case 'stuck':
      return 'The code waits for a promise that nothing resolves; there are no timers and no events, only calls of tools.'
    case 'time':
      return `The code computed for more than ${timeoutMs} ms and was stopped.`
    case 'not_started':
      return `Python did not start inside the sandbox; "${ownCommand('doctor')}" shows what the sandbox allows.`
    case 'memory':
      return `The code needed more than ${memoryMb} MB of memory and was stopped.`
  }
}

/** Messages of tools are sentences; this one is a part of one. */
function withoutStop(message: string): string {
  return message.replace(/\.( \(line \d+\))?$/, '$1')
}

function shownToModel({ value, log }: { value: unknown; log?: string }): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return log === undefined ? text : `${text}\n\nPrinted:\n${log}`
}
