import type { ExitCode, Given } from '../../program/command.js'
import { openRecord } from '../../record/open-record.js'
import { countText } from '../../terminal/count-text.js'
import type { Terminal } from '../../terminal/terminal.js'

export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const record = await openRecord(options)
  if ('missing' in record) {
    terminal.say(`Nothing was recorded yet in ${record.missing}.`)
    return 0
  }
  const { crib, tenant } = record
  try {
    const swept = await crib.sweep({ tenant })
    if (options.json) terminal.printJson(swept)
    else if (swept.skipped)
      terminal.print(
        'Nothing was swept: another process is at it, or ended in the midst. Try again in ten minutes.',
      )
    else
      terminal.print(
        `${countText(swept.expired, 'result')} expired; ${countText(swept.removed, 'file')} removed, ${countText(swept.bytes, 'byte')}.`,
      )
    return 0
  } finally {
    await crib.close()
  }
}
