import { readFileSync } from 'node:fs'
import { parseJsonText } from '../../../platform/json/edit-json-text.js'
import { ownCommand } from '../../../platform/text/own-command.js'
import type { Client, ClientWorld } from '../clients/client.js'
import { ENTRY } from '../clients/client-snippet.js'
import { clients } from '../clients/clients.js'
import type { Finding } from './finding.js'

/** Which clients have the gateway in their files. Nobody has to: "call" and others work without. */
export function checkClients(world: ClientWorld): Finding {
  const told = clients.filter((client) => isTold(client, world)).map(({ title }) => title)
  return {
    check: 'clients',
    status: 'ok',
    ...(told.length > 0
      ? { message: `${told.join(', ')}` }
      : { message: 'no client is connected yet', next: ownCommand('connect') }),
  }
}

function isTold(client: Client, world: ClientWorld): boolean {
  return client.files(world).some((file) => isToldIn(file, client))
}

function isToldIn(file: string, { format, key }: Client): boolean {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return false // no such client here
  }
  if (format === 'toml') return text.split('\n').some((line) => line.trim() === `[${key}.${ENTRY}]`)
  const servers = parseJsonText(text)?.[key]
  return typeof servers === 'object' && servers !== null && Object.hasOwn(servers, ENTRY)
}
