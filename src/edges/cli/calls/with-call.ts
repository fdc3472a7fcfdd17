import type { ToolcribDeletedRecord } from '../../../contract/objects/toolcrib-deleted-record.js'
import type { ExitCode, Given } from '../program/command.js'
import { deletedSentence, findCallOrDeleted } from './find-call.js'
import { openRecord, type OpenRecord } from '../record/open-record.js'
import { usageProblem } from '../program/usage-problem.js'

/** Finds the call that a command names, and closes the record afterwards. */
export async function withCall(
  { arguments: [given = ''], options }: Given,
  use: (call: OpenRecord & { id: string }) => Promise<void>,
  /** For a call whose record was deleted; by default that is a problem. */
  useDeleted: (left: ToolcribDeletedRecord) => void = (left) => {
    throw usageProblem(deletedSentence(left))
  },
): Promise<ExitCode> {
  const record = await openRecord(options)
  if ('missing' in record) {
    throw usageProblem(`There is no call "${given}": nothing was recorded yet in ${record.missing}.`)
  }
  const { crib, tenant } = record
  try {
    const found = await findCallOrDeleted(crib, tenant, given)
    if (typeof found === 'string') await use({ ...record, id: found })
    else useDeleted(found)
    return 0
  } finally {
    await crib.close()
  }
}
