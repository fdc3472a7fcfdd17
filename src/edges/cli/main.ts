import { createProgram } from './program/create-program.js'
import { describeCrash } from './program/describe-crash.js'
import { listenForSignals } from './terminal/interruption.js'
import type { ExitCode } from './program/command.js'
import { createTerminal } from './terminal/terminal.js'

const terminal = createTerminal(process)
let exitCode: ExitCode = 0
listenForSignals()

try {
  const program = createProgram(terminal, (code) => (exitCode = code))
  await program.parseAsync(process.argv)
} catch (error) {
  exitCode = await describeCrash(error, terminal)
}

terminal.showStatus(undefined)
// A tool that ignored its cancellation may keep the process alive; the output must be flushed before the exit.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))),
)
process.exit(exitCode)
