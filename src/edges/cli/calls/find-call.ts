import { ownCommand } from '../../../platform/text/own-command.js'
import { oneLine } from '../../../platform/text/printable.js'
import type { ToolcribDeletedRecord } from '../../../contract/objects/toolcrib-deleted-record.js'
import type { Crib } from '../../../crib/crib.js'
import { usageProblem } from '../program/usage-problem.js'

const PAGE = 500
const MAX_NAMED = 5

/** The id of the call that was named by its id, by a unique part of it, or by "last". */
export async function findCall(crib: Crib, tenant: string, given: string): Promise<string> {
  const found = await findCallOrDeleted(crib, tenant, given)
  if (typeof found === 'string') return found
  throw usageProblem(deletedSentence(found))
}

/** The same; of a call whose record was deleted, what is left of it. */
export async function findCallOrDeleted(
  crib: Crib,
  tenant: string,
  given: string,
): Promise<string | ToolcribDeletedRecord> {
  if (given === 'last') {
    const { rows } = await crib.store.listCalls({ tenant, newestFirst: true, limit: 1 })
    if (rows[0]) return rows[0].invocationId
    throw usageProblem('Nothing was called yet, so there is no last call.')
  }
  if (await crib.store.getCall(tenant, given)) return given
  const found = await findByPart(crib, tenant, given)
  if (found.length === 1) return found[0]!
  if (found.length === 0) {
    const left = await findDeleted(crib, tenant, given)
    if (left) return left
    throw usageProblem(`There is no call "${given}"; "${ownCommand('log')}" lists what there is.`)
  }
  const named = found.slice(0, MAX_NAMED).join(', ')
  throw usageProblem(`"${given}" is part of several calls: ${named}${found.length > MAX_NAMED ? ', …' : ''}.`)
}

async function findByPart(crib: Crib, tenant: string, part: string): Promise<string[]> {
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = await crib.store.listCalls({ tenant, newestFirst: true, limit: PAGE, cursor })
    for (const { invocationId } of page.rows) if (invocationId.includes(part)) found.push(invocationId)
    cursor = page.cursor
  } while (cursor !== undefined && found.length <= MAX_NAMED)
  return found
}

async function findDeleted(
  crib: Crib,
  tenant: string,
  given: string,
): Promise<ToolcribDeletedRecord | undefined> {
  const known = await crib.deletedRecord(given, { tenant })
  if (known) return known
  const found: ToolcribDeletedRecord[] = []
  for await (const left of crib.deletedRecords({ tenant }))
    if (left.invocation_id.includes(given)) found.push(left)
  return found.length === 1 ? found[0] : undefined
}

/** Who deleted the record of a call, when and why. */
export function deletedSentence({
  invocation_id: id,
  deleted_at: at,
  by,
  reason,
}: ToolcribDeletedRecord): string {
  const why = reason === undefined ? '' : ` (${oneLine(reason).replace(/\.$/, '')})`
  return `The record of ${id} was deleted on ${at} by ${oneLine(by)}${why}.`
}

/**
 * The part of an id that distinguishes calls: its millisecond and its number within that. The rest is the same for all
 * calls of a process, and the beginning is the same for years.
 */
export function shortId(invocationId: string): string {
  const at = invocationId.indexOf('_') + 1
  return invocationId.slice(at + 3, at + 14)
}
