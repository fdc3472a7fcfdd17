import { secretNameProblem, secretStore } from '../../../../credentials/secrets/secret-store.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { readStdin } from '../../input/read-text.js'
import type { ExitCode, Given } from '../../program/command.js'
import { usageProblem } from '../../program/usage-problem.js'
import { askHidden } from '../../terminal/ask-hidden.js'
import type { Terminal } from '../../terminal/terminal.js'
import { KEPT_IN, orUsageProblem, secretRow } from './secret-row.js'

const MAX_BYTES = 65_536

export async function run({ arguments: [name = ''], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const problem = secretNameProblem(name)
  if (problem !== undefined) throw usageProblem(problem)
  const value = await readValue(name, terminal)
  const stored = await orUsageProblem(() => secretStore(process.env).set(name, value))
  if (options.json) terminal.printJson(secretRow(stored), 2)
  else terminal.print(`Stored the secret "${oneLine(name)}" in ${KEPT_IN[stored.keptIn]}.`)
  return 0
}

async function readValue(name: string, terminal: Terminal): Promise<string> {
  const isTyped = process.stdin.isTTY
  const given = isTyped
    ? await askHidden(`Value of "${oneLine(name)}" (it is not shown while you type):`, terminal)
    : await readStdin(terminal)
  // Files and `echo` end with a line break, which belongs to no secret.
  const value = (given ?? '').replace(/\r?\n$/, '')
  if (value === '')
    throw usageProblem(
      isTyped
        ? 'No value was given; nothing was stored.'
        : 'There is no value on standard input; pipe one into this command, or run it at a terminal to type one.',
    )
  if (Buffer.byteLength(value) > MAX_BYTES)
    throw usageProblem(`The value is longer than ${MAX_BYTES} bytes; nothing was stored.`)
  return value
}
