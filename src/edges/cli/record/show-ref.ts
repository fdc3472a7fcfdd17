import type { ExitCode, Given } from '../program/command.js'
import { openRecord } from './open-record.js'
import type { Terminal } from '../terminal/terminal.js'
import { usageProblem } from '../program/usage-problem.js'

/** Prefixes of ids that belong to a call, and of surfaces; all other refs contain a character that no id of a call has. */
const REF = /[:@.]|^(?:perm|mut|persist|prog|receipt|res|appr|art|surface)_/

/** Whether it is a ref of a record, and not a call. */
export function isRef(given: string): boolean {
  return REF.test(given)
}

/** Prints the target of a ref, as it was when the record was written. */
export async function showRef(
  { arguments: [ref = ''], options }: Given,
  terminal: Terminal,
): Promise<ExitCode> {
  const record = await openRecord(options)
  if ('missing' in record) throw usageProblem(`Nothing was recorded yet in ${record.missing}.`)
  const { crib, tenant } = record
  try {
    const found = await crib.resolveRef(ref, { tenant })
    if (found === undefined) throw usageProblem(`Nothing on record has the ref "${ref}".`)
    terminal.printJson(found, 2)
    return 0
  } finally {
    await crib.close()
  }
}
