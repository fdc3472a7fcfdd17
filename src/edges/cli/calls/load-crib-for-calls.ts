import type { Crib, CribOptions } from '../../../crib/crib.js'
import type { LoadedTools } from '../../../host/load-settings.js'
import type { OpenedSources } from '../../../host/sources/open-configured-sources.js'
import { entryOfTool } from '../../../host/sources/entry-of-tool.js'
import type { ConfigEntry } from '../../../host/sources/config-entries.js'
import { oneLine, printable } from '../../../platform/text/printable.js'
import type { SourceStatus } from '../../../sources/source.js'
import type { GivenOptions } from '../program/command.js'
import { loadReportedCrib } from './load-reported-crib.js'
import type { Terminal } from '../terminal/terminal.js'
import { whySourceIsMissing } from '../servers/why-source-is-missing.js'
import { usageProblem } from '../program/usage-problem.js'
import { actorOf } from '../../../host/actor-of.js'

type Settings = Extract<LoadedTools, { ok: true }>

/** The crib of a command that makes calls, with the rules of the command line and the given approver. */
export async function loadCribForCalls(
  settings: Settings,
  options: GivenOptions,
  terminal: Terminal,
  asked: Pick<CribOptions, 'approver' | 'responder' | 'reviewers'>,
  /** The tool of the call, if there is one. */
  tool?: string,
): Promise<Crib> {
  checkLoosening(settings, options)
  const more = {
    actor: actorOf(settings),
    ...asked,
    // This process ends with its calls: calls of dead processes are left to a process that stays.
    approvals: { claim: false },
  }
  const whyMissingIn = (opened: OpenedSources, crib?: Crib): string | undefined =>
    tool === undefined
      ? undefined
      : whySourceIsMissing(settings, tool, {
          problems: opened.problems,
          stateOf: (entry) => stateIn(entry, opened, crib),
        })
  const { crib, sources } = await loadReportedCrib(
    { settings, options, terminal },
    {
      sources: {
        only: entriesFor(settings, tool),
        onProblem: (message) => terminal.say(printable(message)),
      },
      more,
      onSources(opened) {
        const leftOut = whyMissingIn(opened)
        if (leftOut !== undefined) throw usageProblem(leftOut)
      },
    },
  )
  await waitForSources(sources, terminal)
  await crib.caughtUp()
  if (tool === undefined || crib.tool(tool)) return crib
  // The file of the tool may be broken.
  for (const sentence of sources.sources.flatMap((source) => source.problems?.() ?? []))
    terminal.explain(printable(sentence), terminal.sayStyle.bad)
  const whyMissing = whyMissingIn(sources, crib)
  if (whyMissing === undefined) return crib
  await crib.close()
  throw usageProblem(whyMissing)
}

function stateIn(
  { kind, entry }: ConfigEntry,
  opened: OpenedSources,
  crib: Crib | undefined,
): SourceStatus | undefined {
  const made = opened.of(kind)
  const source = made?.sources.find((each) => (each.entry ?? each.name) === entry)
  if (!source) return undefined
  return (made?.status?.() ?? crib?.sources())?.find(({ name }) => name === source.name)
}

/** Only the needed entry is started: the one that the name belongs to, or all if it may belong to any. */
export function entriesFor(settings: Settings, tool: string | undefined): readonly string[] | undefined {
  if (tool === undefined) return undefined
  if (settings.catalog.find(tool)) return []
  const part = entryOfTool(settings, tool)
  return part && !part.kind.callsTools?.(part.entry) ? [part.entry] : undefined
}

/** A call must not fail only because its source is slow to start. */
async function waitForSources(opened: OpenedSources, terminal: Terminal): Promise<void> {
  const pending = opened.sources.flatMap((source) => source.pending?.() ?? [])
  if (pending.length > 0) terminal.showStatus(`connecting to ${pending.map(oneLine).join(', ')}`)
  await opened.settled()
  terminal.showStatus(undefined)
}

/** Options that let more run are for people; if the config names reviewers, only they approve. */
export function checkLoosening({ config }: Settings, options: GivenOptions): void {
  if (options['yes'] !== true || (config.approvals?.reviewers ?? []).length === 0) return
  throw usageProblem(
    'The config names reviewers, so --yes has no effect; leave it out and let one of them answer.',
  )
}
