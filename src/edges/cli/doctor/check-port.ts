import { once } from 'node:events'
import { createServer } from 'node:net'
import { ownCommand } from '../../../platform/text/own-command.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import { serveAddress } from '../../../host/serving/serve-address.js'
import type { Finding } from './finding.js'
import { portOwner } from './port-owner.js'

/** Whether "serve" can listen at the address of the config, or which process does already. */
export async function checkPort(settings: CribSettings): Promise<Finding> {
  const check = 'port'
  const { host, port } = serveAddress(settings)
  const code = await refusalOf(host, port)
  if (code === undefined) return { check, status: 'ok', message: `${port} is free` }
  if (code !== 'EADDRINUSE')
    return {
      check,
      status: 'problem',
      message: `${port} on ${host} cannot be used (${code})`,
      next: ownCommand('serve --port <number>'),
    }
  const owner = portOwner(port)
  if (owner && /\btoolcrib\b.*\bserve\b/.test(owner.command))
    return { check, status: 'ok', message: `${port}: the gateway runs (process ${owner.pid})` }
  const who = owner ? `process ${owner.pid}: ${owner.command.slice(0, 100)}` : 'another process'
  return {
    check,
    status: 'problem',
    message: `${port} on ${host} is in use by ${who}`,
    next: ownCommand('serve --port 0'),
  }
}

async function refusalOf(host: string, port: number): Promise<string | undefined> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  } finally {
    server.close()
  }
}
