import type { Crib } from '../../../../crib/crib.js'
import type { DeleteEnvelopesOptions } from '../../../../crib/records/delete-options.js'
import { personName } from '../../../../host/actor-of.js'
import { textOption, type ExitCode, type Given, type GivenOptions } from '../../program/command.js'
import { usageProblem } from '../../program/usage-problem.js'
import { openRecord } from '../../record/open-record.js'
import { parseSince } from '../../record/parse-since.js'
import { askYesOrNo } from '../../terminal/ask-yes-or-no.js'
import { countText } from '../../terminal/count-text.js'
import type { Terminal } from '../../terminal/terminal.js'

export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const isOfEnvelopes = options['envelopes'] === true
  const { before: age, session, actor } = options
  if (isOfEnvelopes && (age === undefined || session !== undefined || actor !== undefined))
    throw usageProblem('Envelopes are deleted by the time of the deletion alone: --envelopes --before 365d.')
  const wanted = wantedOf(options)
  const { before } = wanted
  const record = await openRecord(options)
  if ('missing' in record) {
    terminal.say(`Nothing was recorded yet in ${record.missing}.`)
    return 0
  }
  const { crib, tenant } = record
  const query = { ...wanted, tenant, by: personName() }
  try {
    if (isOfEnvelopes) {
      const { reason, by } = query
      const ofEnvelopes = { before: before!, tenant, by, ...(reason !== undefined && { reason }) }
      return await deleteEnvelopes(crib, ofEnvelopes, { options, terminal })
    }
    const found = await crib.deleteRecords({ ...query, dryRun: true })
    const stays = openText(found.skippedOpen)
    if (options['dryRun'] === true) {
      if (options.json) terminal.printJson({ deleted: found.deleted, skipped_open: found.skippedOpen })
      else terminal.print(`The records of ${countText(found.deleted, 'call')} would be deleted.${stays}`)
      return 0
    }
    if (!(await isAgreed(`the records of ${countText(found.deleted, 'call')}`, options, terminal))) return 1
    const { deletionId, deleted, skippedOpen, surfaces, bytes } = await crib.deleteRecords(query)
    if (options.json)
      terminal.printJson({ deletion_id: deletionId, deleted, skipped_open: skippedOpen, surfaces, bytes })
    else
      terminal.print(
        `Deleted the records of ${countText(deleted, 'call')} and ${countText(surfaces, 'surface')}, and ${countText(bytes, 'byte')} of results.${stays}`,
      )
    return 0
  } finally {
    await crib.close()
  }
}

async function deleteEnvelopes(
  crib: Crib,
  query: DeleteEnvelopesOptions,
  { options, terminal }: { options: GivenOptions; terminal: Terminal },
): Promise<ExitCode> {
  const found = await crib.deleteEnvelopes({ ...query, dryRun: true })
  const envelopes = `the envelopes of ${countText(found.deleted, 'call')}`
  if (options['dryRun'] === true) {
    if (options.json) terminal.printJson({ deleted: found.deleted })
    else terminal.print(`${envelopes.replace('the', 'The')} would be deleted.`)
    return 0
  }
  if (!(await isAgreed(envelopes, options, terminal))) return 1
  const { deletionId, deleted } = await crib.deleteEnvelopes(query)
  if (options.json) terminal.printJson({ deletion_id: deletionId, deleted })
  else terminal.print(`Deleted the envelopes of ${countText(deleted, 'call')}.`)
  return 0
}

interface Wanted {
  before?: number
  session?: string
  actor?: string
  reason?: string
}

function wantedOf(options: GivenOptions): Wanted {
  const [age, session, actor, reason] = ['before', 'session', 'actor', 'reason'].map((name) =>
    textOption(options, name),
  )
  if (age === undefined && session === undefined && actor === undefined)
    throw usageProblem('Say which records to delete: --before 30d, --session <id> or --actor <name>.')
  const before = age === undefined ? undefined : parseSince(age, Date.now())
  if (age !== undefined && before === undefined)
    throw usageProblem(`--before takes an age like 30d or 12h, or a date like 2026-07-30; not "${age}".`)
  return {
    ...(before !== undefined && { before }),
    ...(session !== undefined && { session }),
    ...(actor !== undefined && { actor }),
    ...(reason !== undefined && { reason }),
  }
}

async function isAgreed(what: string, options: GivenOptions, terminal: Terminal): Promise<boolean> {
  if (options['yes'] === true) return true
  if (!terminal.isInteractive)
    throw usageProblem(
      'Only a person at a terminal is asked; nothing was deleted. A script of your own says --yes.',
    )
  if (await askYesOrNo(`Delete ${what} for good?`, terminal)) return true
  terminal.say('Nothing was deleted.')
  return false
}

function openText(count: number): string {
  return count === 0 ? '' : ` ${countText(count, 'call')} not ended yet: their records stay.`
}
