import { createProgram } from './program/create-program.js'
import { describeCrash } from './program/describe-crash.js'
import { hearSignals } from './terminal/interruption.js'
import type { ExitCode } from './program/command.js'
import { createTerminal } from './terminal/terminal.js'

const terminal = createTerminal(process)
let exitCode: ExitCode = 0
hearSignals()

try {
  const program = createProgram(terminal, (code) => (exitCode = code))
  await program.parseAsync(process.argv)
} catch (error) {
  exitCode = await describeCrash(error, terminal)
}

terminal.showStatus(undefined)
// A tool that was given up may still hold the process; what was printed must get out before it ends.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))),
)
process.exit(exitCode)
