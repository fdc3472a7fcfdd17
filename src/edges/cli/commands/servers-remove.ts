import { shortPath } from '../../../foundation/config/describe-problem.js'
import { oneLine } from '../../../foundation/text/printable.js'
import type { ExitCode, Given } from '../command.js'
import { changeServersFile, isReady, serversFile } from '../servers-file.js'
import type { Terminal } from '../terminal.js'
import { unknownServer } from '../unknown-server.js'
import { usageProblem } from '../usage-problem.js'

export async function run({ arguments: [name = ''], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const file = await serversFile(options)
  if (!Object.hasOwn(file.servers, name)) throw usageProblem(unknownServer(name, Object.keys(file.servers)))
  const where = shortPath(file.path)
  const isRemoved = await changeServersFile(
    file,
    {
      change: { remove: [name] },
      question: `Remove the server "${oneLine(name)}" from ${where}?`,
      isYes: options['yes'] === true,
    },
    terminal,
  )
  if (!isRemoved) return 1
  if (options.json) terminal.printJson({ config: file.path, server: name, trusted: isReady(file) }, 2)
  else terminal.explain(`The server "${oneLine(name)}" is no longer in ${where}.`)
  return 0
}
