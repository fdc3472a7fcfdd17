import { SERVER_LIMITS } from '../protocol/shape-limits.js'
import type { JsonRpcMessage } from '../protocol/json-rpc.js'
import { ConnectionLost, type ConnectOptions, type McpConnection } from './connection.js'
import { createConnection, type OpenConnection } from './create-connection.js'
import { keepListening } from './keep-listening.js'
import { negotiate } from './negotiate.js'
import { WrongSettings } from '../wrong-settings.js'
import { ProgramEnded } from '../wire/server-process.js'
import type { Wire, WireOptions } from '../wire/wire.js'

/** The most messages that are kept from a server before the handshake is over; further ones are dropped. */
const MAX_EARLY_MESSAGES = 1000

// oxlint-disable-next-line no-control-regex
const HEADER_VALUE = /^[\t\u0020-\u007E\u0080-\u00FF]*$/

type Carrier = 'stdio' | 'http' | 'sse'

/** Connects to a server over any transport and revision. Rejects with a sentence that says why. */
export async function connect(options: ConnectOptions): Promise<McpConnection> {
  options.signal.throwIfAborted()
  const carrier = carrierOf(options)
  try {
    return await connectOver(carrier, options, 'probe')
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason
    const again = anotherWay(carrier, options, error)
    if (again === undefined) throw error
    // If the second way fails too, the first error is the one to repair.
    return connectOver(again, options, 'initialize').catch((later: unknown) => {
      throw again === carrier ? later : error
    })
  }
}

/** The way that is worth a second try after such an error. */
function anotherWay(carrier: Carrier, { settings }: ConnectOptions, error: unknown): Carrier | undefined {
  // Some older programs exit on a request of the later era.
  if (carrier === 'stdio' && error instanceof ProgramEnded && settings.protocolVersion === undefined)
    return 'stdio'
  const isOnlySse = carrier === 'http' && error instanceof ConnectionLost && 'status' in error
  return isOnlySse && (error.status === 404 || error.status === 405) ? 'sse' : undefined
}

async function connectOver(
  carrier: Carrier,
  options: ConnectOptions,
  opening: 'probe' | 'initialize',
): Promise<McpConnection> {
  const early: JsonRpcMessage[] = []
  let open: OpenConnection | undefined
  const wire = await createWire(carrier, options, (message) => {
    if (open) open.receive(message)
    else if (early.length < MAX_EARLY_MESSAGES) early.push(message)
  })
  const stop = (): void => void wire.close()
  options.signal.addEventListener('abort', stop, { once: true })
  try {
    const facts = await negotiate(wire, options, opening)
    const connection = createConnection(wire, facts, options)
    open = connection
    for (const message of early) connection.receive(message)
    wire.listen()
    keepListening(connection, options)
    return connection
  } catch (error) {
    await wire.close()
    throw error
  } finally {
    options.signal.removeEventListener('abort', stop)
  }
}

function carrierOf({ settings, name }: ConnectOptions): Carrier {
  if (settings.type === 'stdio' || (settings.type === undefined && settings.command !== undefined)) {
    if (settings.command === undefined) throw new WrongSettings(`The server ${name} needs a "command".`)
    return 'stdio'
  }
  if (settings.url === undefined || !/^https?:\/\//i.test(settings.url) || !URL.canParse(settings.url))
    throw new WrongSettings(
      `The server ${name} needs a "command", or a "url" that begins with http:// or https://.`,
    )
  for (const [header, value] of Object.entries(settings.headers ?? {}))
    if (!HEADER_VALUE.test(value))
      throw new WrongSettings(
        `The header ${JSON.stringify(header)} of the server ${name} has characters that no header may have.`,
      )
  return settings.type ?? 'http'
}

async function createWire(
  carrier: Carrier,
  options: ConnectOptions,
  onMessage: WireOptions['onMessage'],
): Promise<Wire> {
  const { settings, name, credentials, onStderr } = options
  const limits = {
    maxBytes: settings.maxMessageBytes ?? SERVER_LIMITS.maxBytes,
    maxValues: settings.maxMessageValues ?? SERVER_LIMITS.maxValues,
  }
  const shared = { name, limits, onMessage }
  switch (carrier) {
    case 'stdio': {
      const { createStdioWire } = await import('../wire/stdio-wire.js')
      return createStdioWire({ ...shared, settings, onStderr })
    }
    case 'http': {
      const { createHttpWire } = await import('../wire/http-wire.js')
      return createHttpWire({ ...shared, url: settings.url!, headers: settings.headers, credentials })
    }
    case 'sse': {
      const { createSseWire } = await import('../wire/sse-wire.js')
      return createSseWire({
        ...shared,
        url: settings.url!,
        headers: settings.headers,
        credentials,
        signal: options.signal,
      })
    }
  }
}
