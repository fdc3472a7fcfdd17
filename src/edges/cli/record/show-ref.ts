import type { ExitCode, Given } from '../program/command.js'
import { openRecord } from './open-record.js'
import type { Terminal } from '../terminal/terminal.js'
import { usageProblem } from '../program/usage-problem.js'

/** Ids of what belongs to a call, and of surfaces; all other refs have a sign that no id of a call has. */
const REF = /[:@.]|^(?:perm|mut|persist|prog|receipt|res|appr|art|surface)_/

/** Whether it is a ref as records have them, and not a call. */
export function isRef(given: string): boolean {
  return REF.test(given)
}

/** Prints what a ref stands for, as it was when the record was written. */
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
