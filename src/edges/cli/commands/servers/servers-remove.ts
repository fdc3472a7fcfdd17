import { shortPath } from '../../../../platform/config/describe-problem.js'
import { oneLine } from '../../../../platform/text/printable.js'
import type { ExitCode, Given } from '../../program/command.js'
import { changeServersFile, isReady, serversFile } from '../../servers/servers-file.js'
import type { Terminal } from '../../terminal/terminal.js'
import { unknownServer } from '../../servers/unknown-server.js'
import { usageProblem } from '../../program/usage-problem.js'

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
