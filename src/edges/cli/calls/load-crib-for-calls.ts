import type { Crib, CribOptions } from '../../../crib/crib.js'
import type { LoadedTools } from '../../../host/load-settings.js'
import type { OpenedSources } from '../../../host/sources/open-configured-sources.js'
import { entryOfTool } from '../../../host/sources/entry-of-tool.js'
import { oneLine } from '../../../platform/text/printable.js'
import { mcpKind } from '../../../sources/mcp/mcp-kind.js'
import type { GivenOptions } from '../program/command.js'
import { loadCribAloud } from './load-crib-aloud.js'
import type { Terminal } from '../terminal/terminal.js'
import { whySourceIsAway } from '../servers/why-source-is-away.js'
import { usageProblem } from '../program/usage-problem.js'
import { userName } from '../terminal/user-name.js'

type Settings = Extract<LoadedTools, { ok: true }>

/** The crib of a command that calls: with the rules of the command line, and with those who are asked. */
export async function loadCribForCalls(
  settings: Settings,
  options: GivenOptions,
  terminal: Terminal,
  asked: Pick<CribOptions, 'approver' | 'responder' | 'reviewers'>,
  /** The tool that will be called, where it is one. */
  tool?: string,
): Promise<Crib> {
  checkLoosening(settings, options)
  const more = {
    actor: settings.config.actor ?? userName(),
    ...asked,
    // Over as soon as its calls are: what others left is for a process that stays.
    approvals: { claim: false },
  }
  const isAway = (opened: OpenedSources): string | undefined =>
    tool === undefined
      ? undefined
      : whySourceIsAway(settings, tool, {
          problems: opened.problems,
          healthOf: (server) => opened.of(mcpKind)?.mcp?.get(server)?.health(),
        })
  const { crib, sources } = await loadCribAloud(
    { settings, options, terminal },
    {
      sources: { only: entriesFor(settings, tool) },
      more,
      onSources(opened) {
        const leftOut = isAway(opened)
        if (leftOut !== undefined) throw usageProblem(leftOut)
      },
    },
  )
  await waitForSources(sources, terminal)
  await crib.caughtUp()
  const away = tool === undefined || crib.tool(tool) ? undefined : isAway(sources)
  if (away === undefined) return crib
  await crib.close()
  throw usageProblem(away)
}

/** Only what is needed is started: the entry that a name speaks of, or all where it may be of any. */
export function entriesFor(settings: Settings, tool: string | undefined): readonly string[] | undefined {
  if (tool === undefined) return undefined
  if (settings.catalog.find(tool)) return []
  const part = entryOfTool(settings, tool)
  return part && [part.entry]
}

/** A call must not be refused only because its source is slow to start. */
async function waitForSources(opened: OpenedSources, terminal: Terminal): Promise<void> {
  const pending = opened.sources.flatMap((source) => source.pending?.() ?? [])
  if (pending.length > 0) terminal.showStatus(`connecting to ${pending.map(oneLine).join(', ')}`)
  await opened.settled()
  terminal.showStatus(undefined)
}

/** Options that let more run are for people; and where reviewers are named, only they say yes. */
export function checkLoosening({ config }: Settings, options: GivenOptions): void {
  if (options['yes'] !== true || (config.approvals?.reviewers ?? []).length === 0) return
  throw usageProblem(
    'The config names reviewers, so --yes is not heard; leave it out and let one of them answer.',
  )
}
