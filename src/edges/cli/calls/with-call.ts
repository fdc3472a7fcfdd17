import type { ExitCode, Given } from '../program/command.js'
import { findCall } from './find-call.js'
import { openRecord, type OpenRecord } from '../record/open-record.js'
import { usageProblem } from '../program/usage-problem.js'

/** Finds the call that a command names, and closes the record afterwards. */
export async function withCall(
  { arguments: [given = ''], options }: Given,
  use: (call: OpenRecord & { id: string }) => Promise<void>,
): Promise<ExitCode> {
  const record = await openRecord(options)
  if ('missing' in record) {
    throw usageProblem(`There is no call "${given}": nothing was recorded yet in ${record.missing}.`)
  }
  const { crib, tenant } = record
  try {
    await use({ ...record, id: await findCall(crib, tenant, given) })
    return 0
  } finally {
    await crib.close()
  }
}
