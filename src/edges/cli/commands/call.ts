import type { ToolResult } from '../../../foundation/contract/objects/tool-result.js'
import { loadCrib } from '../../../runtime/load-crib.js'
import { surfaceRequestOf } from '../../../runtime/load-tools.js'
import { responderFor } from '../responder-for.js'
import { approverFor } from '../approver-for.js'
import type { ExitCode, Given } from '../command.js'
import { contentText } from '../content-text.js'
import { durationText } from '../duration-text.js'
import { HOW_TO_BEGIN, loadToolsOrStop } from '../load-or-stop.js'
import { parsePairs } from '../parse-pairs.js'
import { printable } from '../printable.js'
import { usageProblem } from '../usage-problem.js'
import { readInput } from '../read-input.js'
import type { Terminal } from '../terminal.js'
import { userName } from '../user-name.js'
import { watchCall } from '../watch-call.js'

export async function run(given: Given, terminal: Terminal): Promise<ExitCode> {
  const { options } = given
  const [name = '', ...pairs] = given.arguments
  const settings = await loadToolsOrStop(options)
  if (settings.configPath === undefined) throw usageProblem(HOW_TO_BEGIN)
  const resolved = settings.catalog.resolve(name)
  const tool = resolved && 'found' in resolved ? resolved.found : undefined
  const input = inputOf(pairs, options['input'], tool?.draft.input.modelSchema ?? {})

  const { catalog } = settings
  const approver = approverFor(terminal, {
    yes: options['yes'] === true,
    findTool: (toolId) => catalog.get(toolId),
  })
  const responder = responderFor(terminal)
  const crib = await loadCrib({
    settings,
    tools: settings.drafts,
    store: options.store,
    more: {
      actor: settings.config.actor ?? userName(),
      ...(approver && { approver }),
      ...(responder && { responder }),
    },
  })
  try {
    const surface = await crib.surface(surfaceRequestOf(settings))
    const startedAt = performance.now()
    const result = await watchCall(crib.call(surface, { name, input }), {
      terminal,
      isVerbose: options['verbose'] === true,
    })
    if (options.json) terminal.printJson(result, 2)
    else report(result, performance.now() - startedAt, terminal)
    return exitCodeOf(result)
  } finally {
    await crib.close()
  }
}

function inputOf(
  pairs: readonly string[],
  given: unknown,
  schema: Parameters<typeof parsePairs>[1],
): unknown {
  if (typeof given !== 'string') return parsePairs(pairs, schema)
  if (pairs.length > 0) throw usageProblem('Give the input either as key=value or with --input, not both.')
  return readInput(given)
}

function report(result: ToolResult, tookMs: number, terminal: Terminal): void {
  const { sayStyle } = terminal
  if (!result.is_error) terminal.printRaw(contentText(result))
  if (result.error) terminal.explain(printable(errorSentence(result)), sayStyle.bad)
  const footer = `${result.status} in ${durationText(tookMs)}, ${result.invocation_id}`
  if (terminal.hasReader) terminal.say(sayStyle.dim(footer))
}

function errorSentence({ error }: ToolResult): string {
  const hint = error?.error_code === 'toolcrib.nobody_to_ask' ? ' Use --yes to approve it.' : ''
  return `${error?.message ?? 'The call failed.'}${hint}`
}

function exitCodeOf({ is_error: isError, error }: ToolResult): ExitCode {
  if (!isError) return 0
  return error?.error_class === 'unknown_tool' ? 2 : 1
}
