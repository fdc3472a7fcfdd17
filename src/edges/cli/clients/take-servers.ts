import { ownCommand } from '../../../platform/text/own-command.js'
import { shortPath } from '../../../platform/config/describe-problem.js'
import { oneLine } from '../../../platform/text/printable.js'
import { addServers } from '../../../host/servers/add-servers.js'
import { isOwnConfig } from '../../../platform/trust/own-config.js'
import { askPerson } from '../terminal/ask-person.js'
import { serverLines } from '../servers/describe-server.js'
import type { Terminal } from '../terminal/terminal.js'
import { usageProblem } from '../program/usage-problem.js'
import type { Offer } from './offers.js'

/** Where servers are written to, and what a yes means there. */
export interface Target {
  readonly file: string
  /** What a person adds to a file is trusted with it where it is new, or was trusted as it is. */
  readonly givesTrust: boolean
  /** Whether anything is written into it; false where it has all of the servers. */
  readonly isNew: boolean
}

/** Each place with what was found there: what would run in full, and why something is left out. */
export function sayOffers(offers: readonly Offer[], terminal: Terminal): void {
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

/** A person's yes to what was shown. */
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
  const asked = `${question}${givesTrust && isNew ? ', and trust' : ''}? [y/N] `
  return /^\s*y(es)?\s*$/i.test((await askPerson(asked, { terminal })) ?? '')
}

/** Writes the offers that are new into the config. */
export async function takeServers(
  file: string,
  offers: readonly Offer[],
  { isPerson }: { isPerson: boolean },
): Promise<void> {
  const wanted = offers.filter(({ leftOut }) => leftOut === undefined)
  if (wanted.length === 0) return
  try {
    await addServers(file, Object.fromEntries(wanted.map(({ as, entry }) => [as, entry])), { isPerson })
  } catch (error) {
    throw usageProblem(error instanceof Error ? error.message : String(error))
  }
}
