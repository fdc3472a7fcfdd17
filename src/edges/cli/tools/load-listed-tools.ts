import type { Agents } from '../../../crib/catalog/agents.js'
import { hasSources } from '../../../sources/kinds.js'
import { entriesNoun } from '../../../host/sources/config-entries.js'
import { entryOfTool } from '../../../host/sources/entry-of-tool.js'
import type { LoadedTools } from '../../../host/load-settings.js'
import type { GivenOptions } from '../program/command.js'
import { loadToolsOrStop } from '../program/load-or-stop.js'
import { oneLine, printable } from '../../../platform/text/printable.js'
import { printSourceProblems } from '../servers/print-source-problems.js'
import { whySourceIsMissing } from '../servers/why-source-is-missing.js'
import { asSentence, reasonText, showServerHint } from '../../../host/sources/reason-text.js'
import type { Terminal } from '../terminal/terminal.js'

/** A person waits for the list: a slower server is named instead. */
const LIST_WAIT_MS = 10_000

export type ListedTools = Extract<LoadedTools, { ok: true }> & {
  /** Why the requested tool is missing, if its source is the reason. */
  whyMissing?: string | undefined
  secrets: readonly string[]
  /** The agents that sources offer; absent where no source was opened. */
  agents?: Agents | undefined
  /** Sources that are still connecting: their tools are missing. */
  pending: readonly string[]
}

export interface ListedAbout {
  /** The one requested tool: other sources are then not started. */
  tool?: string
  /** Only if the name contains its source; otherwise the tool may belong to any source. */
  isStrict?: boolean
}

function onlyEntries(
  settings: Extract<LoadedTools, { ok: true }>,
  { tool, isStrict }: ListedAbout,
): readonly string[] | undefined {
  if (tool === undefined) return undefined
  if (settings.catalog.find(tool)) return []
  const part = entryOfTool(settings, tool)
  if (part) return [part.entry]
  return isStrict === true ? [] : undefined
}

/** The tools of the config and of its sources. No server runs any more when it returns. */
export async function loadListedToolsOrStop(
  options: GivenOptions,
  terminal: Terminal,
  about: ListedAbout = {},
): Promise<ListedTools> {
  // A correct name must not look misspelled: the error says why the tool is missing.
  const needsTools = about.tool !== undefined && about.isStrict !== true
  const settings = await loadToolsOrStop(options, { terminal, needsTools })
  const only = onlyEntries(settings, about)
  if (!hasSources(settings) || only?.length === 0) return { ...settings, secrets: [], pending: [] }
  const { listSourceTools } = await import('../../../host/sources/list-source-tools.js')
  const { serversOfGateway } = await import('../socket/find-gateway.js')
  terminal.showStatus(`connecting to the ${entriesNoun(settings)}`)
  const { problems, secrets, pending, failed, leftOut, agents, stateOf } = await listSourceTools(settings, {
    waitMs: LIST_WAIT_MS,
    store: options.store,
    only,
    running: serversOfGateway(settings, options.store, { waitMs: LIST_WAIT_MS, only }),
  })
  terminal.showStatus(undefined)
  const { tool } = about
  const isThere = tool === undefined || settings.catalog.find(tool) !== undefined
  const whyMissing = isThere ? undefined : whySourceIsMissing(settings, tool, { problems, stateOf })
  // The command reports this problem itself: it is not printed twice.
  if (whyMissing !== undefined) return { ...settings, secrets, pending, whyMissing }
  printSourceProblems(problems, terminal)
  for (const { noun, name, reason, said } of failed)
    terminal.explain(
      `The ${noun} "${oneLine(name)}" has failed, and its tools are missing: ${asSentence(reasonText(reason, said))} ${showServerHint(name)}`,
    )
  for (const sentence of leftOut) terminal.explain(printable(sentence), terminal.sayStyle.bad)
  if (pending.length > 0)
    terminal.explain(`Still connecting: ${pending.map(oneLine).join(', ')}; their tools are missing here.`)
  return { ...settings, secrets, pending, agents }
}
