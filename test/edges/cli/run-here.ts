import { PassThrough } from 'node:stream'
import { describeCrash } from '../../../src/edges/cli/program/describe-crash.js'
import { createProgram } from '../../../src/edges/cli/program/create-program.js'
import { noteCommand, repeatInHints } from '../../../src/platform/text/own-command.js'
import { createTerminal } from '../../../src/edges/cli/terminal/terminal.js'
import type { Ran } from './run-cli.js'

/** Runs a command line in this process, which may have kinds of sources of its own. On a terminal it has 80 columns. */
export async function runHere(
  args: readonly string[],
  { isTerminal = false }: { isTerminal?: boolean } = {},
): Promise<Ran> {
  const [stdout, stderr] = [outputOf(isTerminal), outputOf(isTerminal)]
  const terminal = createTerminal({
    stdin: { isTTY: isTerminal },
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: { NO_COLOR: '1', TERM: 'dumb' },
    once() {},
  } as unknown as NodeJS.Process)
  let code = 0
  try {
    await createProgram(terminal, (given) => (code = given)).parseAsync(['node', 'toolcrib', ...args])
  } catch (error) {
    code = await describeCrash(error, terminal)
  } finally {
    // Hints of this command are not those of the next file of this process.
    repeatInHints({})
    noteCommand({ words: [], options: [] })
  }
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

function outputOf(isTTY: boolean): { stream: PassThrough; text: () => string } {
  const stream = Object.assign(new PassThrough(), isTTY && { isTTY, columns: 80, rows: 24 })
  let text = ''
  stream.setEncoding('utf8').on('data', (part: string) => (text += part))
  return { stream, text: () => text }
}
