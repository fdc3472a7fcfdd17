import { ownCommand } from '../../../../platform/text/own-command.js'
import { nearestWord } from '../../../../platform/config/nearest-word.js'
import type { HookEvent } from '../../../../contract/unions.js'
import { shownName, wantsInput, wantsTool } from '../../../../pipeline/hooks/hooks-for.js'
import { cleanOutcome } from '../../../../hooks/clean-outcome.js'
import { describeOutcome } from '../../../../hooks/describe-outcome.js'
import type { HookDefinition } from '../../../../hooks/hook.js'
import { runHook, type HookOutcome, type HookRun } from '../../../../hooks/run-hook.js'
import type { CatalogTool } from '../../../../catalog/catalog-tool.js'
import type { ExitCode, Given } from '../../program/command.js'
import { findTool } from '../../tools/find-tool.js'
import { loadToolsOrStop } from '../../program/load-or-stop.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { redactorFor } from '../../../../host/redactor-for.js'
import { readInput } from '../../input/read-input.js'
import type { Terminal } from '../../terminal/terminal.js'
import { usageProblem } from '../../program/usage-problem.js'
import { actorOf } from '../../../../host/actor-of.js'

export async function run({ arguments: [id = ''], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const { hooks, catalog, config } = await loadToolsOrStop(options, { terminal, needsTools: true })
  const hook = findHook(hooks, id)
  const tool = typeof options['tool'] === 'string' ? findTool(catalog, options['tool']) : undefined
  const input = typeof options['input'] === 'string' ? await readInput(options['input'], terminal) : {}
  const given = options['output']
  const output = typeof given === 'string' ? await readInput(given, terminal) : {}
  const sample = sampleCall(hook, { tool, input, output, actor: actorOf({ config }) })
  const hidden: string[] = []
  const redactor = redactorFor(config)
  const outcome = cleanOutcome(await runHook(hook, { ...sample, hide: (secret) => hidden.push(secret) }), {
    text: (text) => redactor.text(text, hidden),
    value: (value) => redactor.value(value, hidden),
  })
  const mismatch = mismatchOf(hook, tool, input)
  if (options.json) {
    const { facts, ...said } = outcome
    terminal.printJson(
      {
        hook_id: id,
        hook_event: hook.event,
        would_be_asked: mismatch === undefined,
        ...facts,
        ...said,
        means: describeOutcome(hook, outcome),
      },
      2,
    )
  } else report(hook, outcome, { terminal, mismatch })
  return outcome.ok ? 0 : 1
}

function findHook(hooks: readonly HookDefinition[], id: string): HookDefinition {
  const found = hooks.find((hook) => hook.id === id)
  if (found) return found
  const near = nearestWord(
    id,
    hooks.map((hook) => hook.id),
  )
  throw usageProblem(
    `There is no hook "${id}"; ${near ? `did you mean "${near}"?` : `"${ownCommand('hooks')}" lists what is there.`}`,
  )
}

interface Sample {
  tool: CatalogTool | undefined
  input: unknown
  output: unknown
  actor: string
}

/** An invented call, as the hook would see it. */
function sampleCall(hook: HookDefinition, { tool, input, output, actor }: Sample): Omit<HookRun, 'hide'> {
  const isAfter: readonly HookEvent[] = ['post_tool_use', 'result_persistence']
  return {
    event: hook.event,
    invocationId: 'inv_sample',
    nativeCallId: undefined,
    toolId: tool?.toolId ?? 'sample.tool',
    toolName: tool ? shownName(hook, tool) : 'sample.tool',
    input,
    ...(isAfter.includes(hook.event) && { output }),
    ...(hook.event === 'post_tool_use_failure' && {
      error: { error_class: 'execution_failed', message: 'A sample failure.' },
    }),
    actor,
    session: undefined,
    workspace: process.cwd(),
    permissionMode: 'default',
    callSignal: interrupted(),
  }
}

/** Ctrl-C ends the hook and every process that it started. */
function interrupted(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  return controller.signal
}

function mismatchOf(hook: HookDefinition, tool: CatalogTool | undefined, input: unknown): string | undefined {
  if (tool && !wantsTool(hook, tool)) return `it does not speak of ${tool.toolId}`
  return wantsInput(hook, input) ? undefined : 'its "when" does not hold for this input'
}

function report(
  hook: HookDefinition,
  outcome: HookOutcome,
  { terminal, mismatch }: { terminal: Terminal; mismatch: string | undefined },
): void {
  const { style } = terminal
  if (mismatch) terminal.print(`In a real call it would not be asked: ${oneLine(mismatch)}.`)
  for (const [name, value] of Object.entries(outcome.facts))
    terminal.print(style.dim(oneLine(`${name.replaceAll('_', ' ')}: ${[value].flat().join(', ')}`)))
  if (outcome.ok) {
    for (const [field, value] of Object.entries(outcome.answer)) {
      const shown = oneLine(typeof value === 'string' ? value : JSON.stringify(value))
      terminal.print(`${style.bold(field)}: ${shown}`)
    }
  } else terminal.print(style.bad(oneLine(outcome.problem)))
  for (const sentence of describeOutcome(hook, outcome)) terminal.print(oneLine(sentence))
}
