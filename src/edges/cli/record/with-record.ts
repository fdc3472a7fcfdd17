import type { Crib } from '../../../crib/crib.js'
import type { ExitCode, Given } from '../program/command.js'
import { openRecord } from './open-record.js'
import type { Terminal } from '../terminal/terminal.js'

/** For commands that list what is on record: where nothing was recorded yet they say so, and the record is closed behind them. */
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
