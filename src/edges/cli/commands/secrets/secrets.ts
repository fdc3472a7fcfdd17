import { secretStore } from '../../../../credentials/secrets/secret-store.js'
import { ownCommand } from '../../../../platform/text/own-command.js'
import { oneLine } from '../../../../platform/text/printable.js'
import type { ExitCode, Given } from '../../program/command.js'
import { dateAndTime } from '../../terminal/short-time.js'
import type { Terminal } from '../../terminal/terminal.js'
import { KEPT_IN, orUsageProblem, secretRow } from './secret-row.js'

export async function run({ options }: Given, terminal: Terminal): Promise<ExitCode> {
  const all = await orUsageProblem(async () => secretStore(process.env).list())
  if (options.json) {
    terminal.printJson(all.map(secretRow), 2)
    return 0
  }
  if (all.length === 0) {
    terminal.explain(`There are no secrets; to set one: ${ownCommand('secrets set <name>')}`)
    return 0
  }
  const width = Math.max(...all.map(({ name }) => name.length)) + 2
  for (const { name, setAt, keptIn } of all)
    terminal.print(
      `${oneLine(name).padEnd(width)}${terminal.style.dim(`set ${dateAndTime(setAt)}, in ${KEPT_IN[keptIn]}`)}`,
    )
  return 0
}
