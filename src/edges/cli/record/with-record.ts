import type { Crib } from '../../../crib/crib.js'
import type { ExitCode, Given } from '../program/command.js'
import { openRecord } from './open-record.js'
import type { Terminal } from '../terminal/terminal.js'

/**
 * Opens the record for a command that lists, and closes it afterwards. Prints that nothing was recorded if there is no
 * record.
 */
export async function withRecord(
  { options }: Given,
  terminal: Terminal,
  use: (crib: Crib, path: string) => Promise<void>,
): Promise<ExitCode> {
  const record = await openRecord(options)
  if ('missing' in record) {
    if (!options.json) terminal.say(`Nothing was recorded yet in ${record.missing}.`)
    return 0
  }
  try {
    await use(record.crib, record.path)
    return 0
  } finally {
    await record.crib.close()
  }
}
