import { errorMessage } from '../../../platform/text/error-message.js'
import { ownCommand } from '../../../platform/text/own-command.js'
import { shortPath } from '../../../platform/config/describe-problem.js'
import { oneLine } from '../../../platform/text/printable.js'
import { changeEntries } from '../../../host/sources/change-entries.js'
import { mcpSection } from '../../../platform/config/source-sections.js'
import { isOwnConfig } from '../../../platform/trust/own-config.js'
import { askYesOrNo } from '../terminal/ask-yes-or-no.js'
import { serverLines } from '../servers/describe-server.js'
import type { Terminal } from '../terminal/terminal.js'
import { usageProblem } from '../program/usage-problem.js'
import type { Offer } from './offers.js'

/** The file for the servers, and what a yes means there. */
export interface Target {
  readonly file: string
  /** Whether a person's change makes the file trusted: it is new, or was trusted as it is. */
  readonly givesTrust: boolean
  /** Whether anything is written; false if the file has all of the servers. */
  readonly isNew: boolean
}

/** Prints each location with its servers: what would run in full, and why something is omitted. */
export function printOffers(offers: readonly Offer[], terminal: Terminal): void {
  for (const from of new Set(offers.map((offer) => offer.from))) {
    terminal.say(terminal.sayStyle.bold(`${shortPath(from.file)} (${from.title})`))
    for (const offer of offers.filter((each) => each.from === from))
      for (const line of offerLines(offer, terminal.sayColumns)) terminal.say(line)
  }
}

function offerLines({ name, as, entry, leftOut }: Offer, columns: number): string[] {
  if (leftOut !== undefined) return [`  ${oneLine(name)}  (${oneLine(leftOut)})`]
  const lines = serverLines(name, entry, columns)
  return as === name
    ? lines
    : [...lines, `    taken over as ${oneLine(as)}: another "${oneLine(name)}" is there`]
}

/** Asks the person to confirm what was shown. */
export async function agree(
  question: string,
  { file, givesTrust, isNew }: Target,
  terminal: Terminal,
): Promise<boolean> {
  const until = isOwnConfig(file) ? '' : `, until ${shortPath(file)} changes`
  if (!isNew)
    terminal.explain(`${shortPath(file)} has them already: a yes takes them out of the client's file.`)
  else
    terminal.explain(
      givesTrust
        ? `A yes trusts them: they are started as they stand above${until}.`
        : `${shortPath(file)} is not trusted as it is, so nothing of it is started before you run: ${ownCommand('trust')}`,
    )
  return askYesOrNo(`${question}${givesTrust && isNew ? ', and trust' : ''}?`, terminal)
}

/** Writes the new offers into the config. */
export async function importServers(
  file: string,
  offers: readonly Offer[],
  { isPerson }: { isPerson: boolean },
): Promise<void> {
  const wanted = offers.filter(({ leftOut }) => leftOut === undefined)
  if (wanted.length === 0) return
  const put = Object.fromEntries(wanted.map(({ as, entry }) => [as, entry]))
  try {
    await changeEntries(file, { key: mcpSection.key, put }, { isPerson })
  } catch (error) {
    throw usageProblem(errorMessage(error))
  }
}
