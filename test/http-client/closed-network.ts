import { createServer as createTcpServer, type Server } from 'node:net'
import { constants } from 'node:os'
import { join } from 'node:path'
import { addressKind } from '../../src/http-client/address-kind.js'

type Connect = (this: unknown, request: unknown, address: string, port?: number) => number
type Handle = Record<'connect' | 'connect6', Connect>

export interface ClosedNetwork {
  /** Every connection that this process has tried to make, as `address port` or as the path of a socket. */
  readonly attempts: string[]
  /** Connects to an address of this machine where another one is asked for. */
  readonly routes: Map<string, string>
  /** Lets connections pass again. */
  open(): void
}

/**
 * Replaces how the process connects, below `net` and everything that uses it: each attempt is recorded with the address
 * that the system would get, and fails unless it stays on this machine. Needs a process of its own.
 */
export async function closeNetwork(folder: string): Promise<ClosedNetwork> {
  const tcp = await handleOf((server, done) => server.listen(0, '127.0.0.1', done))
  const pipe = await handleOf((server, done) => server.listen(join(folder, 'closed-network.socket'), done))
  const attempts: string[] = []
  const routes = new Map<string, string>()
  const restore = [
    replace(tcp, 'connect', (connect, { handle, request, address, port }) => {
      attempts.push(`${address} ${port}`)
      const to = routes.get(address) ?? address
      if (addressKind(to) !== 'loopback') return -constants.errno.ECONNREFUSED
      return connect.call(handle, request, to, port)
    }),
    replace(tcp, 'connect6', (connect, { handle, request, address, port }) => {
      attempts.push(`${address} ${port}`)
      return address === '::1' ? connect.call(handle, request, address, port) : -constants.errno.ECONNREFUSED
    }),
    replace(pipe, 'connect', (_, { address }) => {
      attempts.push(address)
      return -constants.errno.ECONNREFUSED
    }),
  ]
  return { attempts, routes, open: () => restore.forEach((undo) => undo()) }
}

/** The prototype of the system's handles of a kind, which `net` does not show. */
async function handleOf(listen: (server: Server, done: () => void) => void): Promise<Handle> {
  const server = createTcpServer()
  await new Promise<void>((done) => listen(server, done))
  const { _handle: handle } = server as unknown as { _handle: object }
  const prototype = Object.getPrototypeOf(handle) as Handle
  await new Promise((closed) => server.close(closed))
  return prototype
}

interface Call {
  readonly handle: unknown
  readonly request: unknown
  readonly address: string
  readonly port: number | undefined
}

function replace(
  prototype: Handle,
  name: keyof Handle,
  instead: (original: Connect, call: Call) => number,
): () => void {
  const original = prototype[name]
  prototype[name] = function (request, address, port) {
    return instead(original, { handle: this, request, address, port })
  }
  return () => (prototype[name] = original)
}
