import { secretStore, type StoredSecret } from '../../../../credentials/secrets/secret-store.js'
import { nearestWord } from '../../../../platform/config/nearest-word.js'
import { ownCommand } from '../../../../platform/text/own-command.js'
import { oneLine } from '../../../../platform/text/printable.js'
import type { ExitCode, Given } from '../../program/command.js'
import { usageProblem } from '../../program/usage-problem.js'
import type { Terminal } from '../../terminal/terminal.js'
import { orUsageProblem } from './secret-row.js'

export async function run({ arguments: [name = ''], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const store = secretStore(process.env)
  const isRemoved = await orUsageProblem(() => store.remove(name))
  if (!isRemoved) throw usageProblem(unknownSecret(name, store.list()))
  if (options.json) terminal.printJson({ name, was_there: true }, 2)
  else terminal.print(`Removed the secret "${oneLine(name)}".`)
  return 0
}

function unknownSecret(name: string, secrets: readonly StoredSecret[]): string {
  const names = secrets.map((each) => each.name)
  const near = nearestWord(name, names)
  if (near !== undefined) return `There is no secret "${oneLine(name)}"; did you mean "${oneLine(near)}"?`
  const known = names.length === 0 ? 'there are none yet' : `for those there are: ${ownCommand('secrets')}`
  return `There is no secret "${oneLine(name)}"; ${known}.`
}
