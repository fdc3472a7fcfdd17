import { ownCommand } from '../../../../platform/text/own-command.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { namespaceOf } from '../../../../host/sources/config-entries.js'
import type { ComparedEntry, SourceChange } from '../../../../host/sources/pending-changes.js'
import { personName } from '../../../../host/actor-of.js'
import type { CribSettings } from '../../../../host/crib-settings.js'
import { askYesOrNo } from '../../terminal/ask-yes-or-no.js'
import type { ExitCode, Given } from '../../program/command.js'
import { namedOrStop, withPendingChanges } from '../../tools/kept-tools.js'
import { loadSettingsOrStop } from '../../program/load-or-stop.js'
import { changeLines } from '../../tools/change-lines.js'
import type { Terminal } from '../../terminal/terminal.js'
import { usageProblem } from '../../program/usage-problem.js'

/** A person who has read the changed definition accepts it, as trust is given. Nothing else can. */
export async function run({ arguments: [name = ''], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const settings = await loadSettingsOrStop(options)
  const named = oneOrStop(settings, name)
  const { kind, entry } = named
  const changed = (await withPendingChanges(settings, options, (changes) => changes.list([named]))) ?? []
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
  const accepted = await withPendingChanges(settings, options, (changes) =>
    changes.accept(changed, { by: personName() }),
  )
  // Accepts what was shown: the person has not read a later list.
  if (!accepted) throw usageProblem('It has changed once more meanwhile; nothing was accepted. Look again.')
  if (options.json)
    terminal.printJson({ kind: kind.key, source: entry, accepted: changed.map(({ name: each }) => each) }, 2)
  else terminal.explain(`Accepted as it is now: ${accepted.map((each) => oneLine(each)).join(', ')}`)
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

async function isAgreed(changed: readonly SourceChange[], terminal: Terminal): Promise<boolean> {
  const { sayStyle: style, sayColumns: columns } = terminal
  for (const each of changed) for (const line of changeLines(each, { style, columns })) terminal.say(line)
  if (!terminal.isInteractive)
    throw usageProblem('Only a person at a terminal can accept what changed; nothing was accepted.')
  const them = changed.length === 1 ? 'this tool' : `these ${changed.length} tools`
  return askYesOrNo(`Accept ${them} as shown?`, terminal)
}
