import { ownCommand } from '../../../../platform/text/own-command.js'
import { sameJson } from '../../../../platform/json/same-json.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { namespaceOf, toolIdIn } from '../../../../host/sources/config-entries.js'
import type { CribSettings } from '../../../../host/crib-settings.js'
import { askYesOrNo } from '../../terminal/ask-yes-or-no.js'
import type { ExitCode, Given } from '../../program/command.js'
import {
  changesOf,
  namedOrStop,
  withKeptTools,
  type ComparedEntry,
  type KeptChange,
} from '../../tools/kept-tools.js'
import { loadSettingsOrStop } from '../../program/load-or-stop.js'
import { changeLines } from '../../tools/change-lines.js'
import type { Terminal } from '../../terminal/terminal.js'
import { usageProblem } from '../../program/usage-problem.js'

/** A person who has read the changed definition accepts it, as trust is given. Nothing else can. */
export async function run({ arguments: [name = ''], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const settings = await loadSettingsOrStop(options)
  const named = oneOrStop(settings, name)
  const { kind, entry, tool, changes } = named
  const changed = (await withKeptTools(settings, options, (storage) => changesOf(storage, named))) ?? []
  if (changed.length === 0) {
    if (options.json) terminal.printJson({ kind: kind.key, source: entry, accepted: [] }, 2)
    else
      terminal.explain(
        `Nothing there waits to be accepted, as the last lists show; "${ownCommand('servers')}" looks again.`,
      )
    return 0
  }
  if (!(await isAgreed(changed, terminal))) {
    terminal.say('Nothing was changed.')
    return 1
  }
  const accepted = await withKeptTools(settings, options, async (storage) => {
    // Accepts what was shown: the person has not read a later list.
    if (!sameJson(await changesOf(storage, named), changed))
      throw usageProblem('It has changed once more meanwhile; nothing was accepted. Look again.')
    if (tool === undefined) return changes.accept(storage, entry)
    const names: string[] = []
    for (const each of changed) names.push(...(await changes.accept(storage, entry, each.name)))
    return names
  })
  const names = accepted ?? []
  if (options.json) terminal.printJson({ kind: kind.key, source: entry, accepted: names }, 2)
  else
    terminal.explain(
      `Accepted as it is now: ${names.map((each) => oneLine(toolIdIn(named, each))).join(', ')}`,
    )
  return 0
}

function oneOrStop(settings: CribSettings, name: string): ComparedEntry {
  const [first, ...others] = namedOrStop(settings, name)
  if (others.length === 0) return first!
  const ids = [first!, ...others].map((each) =>
    each.tool === undefined ? namespaceOf(each) : `${namespaceOf(each)}.${each.tool}`,
  )
  throw usageProblem(`"${name}" is the name of several sources; say ${ids.join(' or ')}.`)
}

async function isAgreed(changed: readonly KeptChange[], terminal: Terminal): Promise<boolean> {
  const { sayStyle: style, sayColumns: columns } = terminal
  for (const each of changed) for (const line of changeLines(each, { style, columns })) terminal.say(line)
  if (!terminal.isInteractive)
    throw usageProblem('Only a person at a terminal can accept what changed; nothing was accepted.')
  const them = changed.length === 1 ? 'this tool' : `these ${changed.length} tools`
  return askYesOrNo(`Accept ${them} as shown?`, terminal)
}
