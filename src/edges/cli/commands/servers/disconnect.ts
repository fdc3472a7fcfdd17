import { ownCommand } from '../../../../platform/text/own-command.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { ENTRY } from '../../clients/client-snippet.js'
import type { Client } from '../../clients/client.js'
import {
  forgetConnection,
  readConnection,
  readTextOf,
  restoreFile,
  undoChange,
  writeThrough,
  type FileChange,
} from '../../clients/connection.js'
import { removeServer, serversIn, type ServerBlock } from '../../clients/edit-client-text.js'
import { clientFile, findClient, homePath } from '../../clients/find-client.js'
import type { ExitCode, Given } from '../../program/command.js'
import type { Terminal } from '../../terminal/terminal.js'
import { usageProblem } from '../../program/usage-problem.js'

interface Restored {
  file: string
  servers: string[]
}

/** Undoes what connecting did to the files of a client. Toolcrib's config stays as it is. */
export async function run({ arguments: [given], options }: Given, terminal: Terminal): Promise<ExitCode> {
  const client = findClient(given!)
  const connection = readConnection(client.id)
  const restored = connection ? restoreAll(client, connection.files) : removeEntry(client)
  if (connection) forgetConnection(client.id)
  if (options.json) {
    terminal.printJson({ client: client.id, restored }, 2)
    return 0
  }
  if (restored.length === 0) {
    terminal.explain(`${client.title} was not connected; nothing was changed.`)
    return 0
  }
  for (const { file, servers } of restored) {
    const back = servers.length === 0 ? '' : ` Restored: ${servers.map(oneLine).join(', ')}.`
    terminal.explain(`${homePath(file)} is without our entry.${back}`)
  }
  terminal.explain(`Restart ${client.title} to see the change.`)
  if (restored.some(({ servers }) => servers.length > 0))
    terminal.explain('The servers also stay in the config of the gateway, for other clients.')
  return 0
}

/** All texts are made before the first file is written: an unreadable file must not leave the work half done. */
function restoreAll(client: Client, changes: readonly FileChange[]): Restored[] {
  const texts = changes.map((change) => {
    const undone = undoChange(change, readTextOf(change.file))
    if (undone.ok) return undone.text
    throw usageProblem(
      `${homePath(change.file)} ${undone.why}; mend it, then run ${ownCommand(`disconnect ${client.id}`)} again. The file as it was: ${homePath(`${change.file}.before-toolcrib`)}`,
    )
  })
  return changes.map((change, at) => {
    restoreFile(change, texts[at])
    return { file: change.file, servers: change.moved.map(({ name }) => name) }
  })
}

/** An entry that was pasted: the original file is unknown. */
function removeEntry(client: Client): Restored[] {
  const file = clientFile(client)
  const text = readTextOf(file)
  const block: ServerBlock = { format: client.format, path: [client.key] }
  if (text === undefined) return []
  const there = serversIn(text, block)
  if (!there.ok) throw usageProblem(`${homePath(file)} ${there.why}, so it is not changed.`)
  if (!there.servers.has(ENTRY)) return []
  writeThrough(file, removeServer(text, block, ENTRY))
  return [{ file, servers: [] }]
}
