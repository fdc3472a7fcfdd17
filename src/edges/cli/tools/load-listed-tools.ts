import { hasSources } from '../../../sources/kinds.js'
import { entryOfTool } from '../../../host/sources/entry-of-tool.js'
import type { LoadedTools } from '../../../host/load-settings.js'
import type { GivenOptions } from '../program/command.js'
import { loadToolsOrStop } from '../program/load-or-stop.js'
import { oneLine } from '../../../platform/text/printable.js'
import { saySourceProblems } from '../servers/say-source-problems.js'
import { whySourceIsAway } from '../servers/why-source-is-away.js'
import { asSentence, reasonText, showServerHint } from '../terminal/reason-text.js'
import type { Terminal } from '../terminal/terminal.js'

/** A list is looked at by somebody who waits: a slow server is named instead. */
const LIST_WAIT_MS = 10_000

export type ListedTools = Extract<LoadedTools, { ok: true }> & {
  /** Why the tool that was asked about is not there, where that is because of its server. */
  away?: string | undefined
  secrets: readonly string[]
  /** Servers whose tools are missing yet. */
  pending: readonly string[]
}

export interface ListedAbout {
  /** The one tool that somebody wants to know about: other servers are then left alone. */
  tool?: string
  /** Only where its name says of which server it is; otherwise a name may be of any. */
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

/** The tools of the config and those of its sources, to be looked at. No server runs any more when it returns. */
export async function loadListedToolsOrStop(
  options: GivenOptions,
  terminal: Terminal,
  about: ListedAbout = {},
): Promise<ListedTools> {
  // A name that is right must not look misspelt: whoever asked about one tool is told why there is none.
  const needsTools = about.tool !== undefined && about.isStrict !== true
  const settings = await loadToolsOrStop(options, { terminal, needsTools })
  const only = onlyEntries(settings, about)
  if (!hasSources(settings) || only?.length === 0) return { ...settings, secrets: [], pending: [] }
  const { listSourceTools } = await import('../../../host/sources/list-source-tools.js')
  const { serversOfGateway } = await import('../socket/find-gateway.js')
  terminal.showStatus('connecting to the servers')
  const { problems, secrets, pending, failed, healthOf } = await listSourceTools(settings, {
    waitMs: LIST_WAIT_MS,
    store: options.store,
    only,
    running: serversOfGateway(settings, options.store, { waitMs: LIST_WAIT_MS, only }),
  })
  terminal.showStatus(undefined)
  const { tool } = about
  const isThere = tool === undefined || settings.catalog.find(tool) !== undefined
  const away = isThere ? undefined : whySourceIsAway(settings, tool, { problems, healthOf })
  // One sentence for one trouble: whoever asked about a tool is told by the command.
  if (away !== undefined) return { ...settings, secrets, pending, away }
  saySourceProblems(problems, terminal)
  for (const { noun, name, reason, said } of failed)
    terminal.explain(
      `The ${noun} "${oneLine(name)}" has failed, and its tools are missing: ${asSentence(reasonText(reason, said))} ${showServerHint(name)}`,
    )
  if (pending.length > 0)
    terminal.explain(`Still connecting: ${pending.map(oneLine).join(', ')}; their tools are missing here.`)
  return { ...settings, secrets, pending }
}
