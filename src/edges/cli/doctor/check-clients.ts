import { readFileSync } from 'node:fs'
import { ownCommand } from '../../../platform/text/own-command.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import type { Client, ClientEnvironment } from '../clients/client.js'
import { ENTRY } from '../clients/client-snippet.js'
import { clients } from '../clients/clients.js'
import { directServers } from '../clients/direct-servers.js'
import { serversIn } from '../clients/edit-client-text.js'
import type { Finding } from './finding.js'

/**
 * Which clients have the gateway in their files, and which of them use servers without it. No client has to be
 * connected: "call" and other commands work without.
 */
export function checkClients(
  settings: Pick<CribSettings, 'configPath' | 'config'>,
  context: ClientEnvironment,
): Finding[] {
  const connected = clients.flatMap((client) => {
    const entry = ownEntry(client, context)
    return entry === undefined ? [] : [{ client, entry }]
  })
  if (connected.length === 0)
    return [
      { check: 'clients', status: 'ok', message: 'no client is connected yet', next: ownCommand('connect') },
    ]
  const titles = connected.map(({ client }) => client.title)
  return [
    { check: 'clients', status: 'ok', message: titles.join(', ') },
    ...connected.flatMap(({ client, entry }) => besideGateway(client, entry, { settings, context })),
  ]
}

/** Calls of such a server pass no rule and leave no record, while everything looks connected. */
function besideGateway(
  { id, title, ...client }: Client,
  entry: unknown,
  {
    settings,
    context,
  }: { settings: Pick<CribSettings, 'configPath' | 'config'>; context: ClientEnvironment },
): Finding[] {
  const { offers } = directServers({ id, title, ...client }, settings, context)
  if (offers.length === 0) return []
  const names = offers.map(({ name }) => name).join(', ')
  const count = offers.length === 1 ? 'a server' : `${offers.length} servers`
  const way = Reflect.has(Object(entry), 'command') && client.overHttp ? ' --stdio' : ''
  return [
    {
      check: 'clients',
      status: 'problem',
      message: `${title} also reaches ${count} directly, beside the gateway: ${names}`,
      next: ownCommand(`connect ${id} --move${way}`),
    },
  ]
}

/** Toolcrib's entry in the files of a client; a missing or unreadable file has none. */
function ownEntry({ format, key, files }: Client, context: ClientEnvironment): unknown {
  for (const file of files(context)) {
    let text: string
    try {
      text = readFileSync(file, 'utf8')
    } catch {
      continue // no such client here
    }
    const found = serversIn(text, { format, path: [key] })
    const own = found.ok ? found.servers.get(ENTRY) : undefined
    if (own) return own.entry ?? {}
  }
  return undefined
}
