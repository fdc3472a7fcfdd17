import type { ExitCode, Given } from '../program/command.js'
import { createProgram, findCommand } from '../program/create-program.js'
import type { Terminal } from '../terminal/terminal.js'

export async function run({ arguments: words }: Given, terminal: Terminal): Promise<ExitCode> {
  const program = createProgram(terminal, () => {})
  // Also as one quoted word, as the help itself writes it.
  findCommand(
    program,
    words.flatMap((word) => word.split(' ')),
  ).outputHelp()
  return 0
}
