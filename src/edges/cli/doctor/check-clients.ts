import { readFileSync } from 'node:fs'
import { parseJsonWithComments } from '../../../foundation/json/parse-json-with-comments.js'
import { ownCommand } from '../../../foundation/text/own-command.js'
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

function isTold({ file, format, key }: Client, world: ClientWorld): boolean {
  let text: string
  try {
    text = readFileSync(file(world), 'utf8')
  } catch {
    return false // no such client here
  }
  if (format === 'toml') return text.split('\n').some((line) => line.trim() === `[${key}.${ENTRY}]`)
  const value = parseJsonWithComments(text) as Record<string, unknown> | null | undefined
  const servers = value?.[key]
  return typeof servers === 'object' && servers !== null && Object.hasOwn(servers, ENTRY)
}
