import { describeCrash } from './program/describe-crash.js'
import { listenForSignals } from './terminal/interruption.js'
import type { ExitCode } from './program/command.js'
import type { CompileCache } from './program/keep-compiled-code.js'
import { rootHelp } from './program/root-help.js'
import { createTerminal } from './terminal/terminal.js'

const terminal = createTerminal(process)
let exitCode: ExitCode = 0
listenForSignals()

try {
  const words = process.argv.slice(2)
  if (words.every((word) => word === '--help' || word === '-h')) {
    // Needs no parser, which takes longer to load than all of this.
    terminal.print(rootHelp().trimEnd())
  } else {
    // Node.js 20 keeps no compiled code, and need not load what asks for it.
    const api: object = process.getBuiltinModule?.('node:module') ?? {}
    if ('enableCompileCache' in api) {
      const { keepCompiledCode } = await import('./program/keep-compiled-code.js')
      keepCompiledCode(api as CompileCache, { env: process.env, workingFolder: process.cwd() })
    }
    const { createProgram } = await import('./program/create-program.js')
    await createProgram(terminal, (code) => (exitCode = code), { words }).parseAsync(process.argv)
  }
} catch (error) {
  exitCode = await describeCrash(error, terminal)
}

terminal.showStatus(undefined)
// A tool that ignored its cancellation may keep the process alive; the output must be flushed before the exit.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))),
)
process.exit(exitCode)
