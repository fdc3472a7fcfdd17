import { createProgram } from './create-program.js'
import { describeCrash } from './describe-crash.js'
import { hearSignals } from './interruption.js'
import type { ExitCode } from './command.js'
import { createTerminal } from './terminal.js'

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
