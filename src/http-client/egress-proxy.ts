import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { errorMessage } from '../platform/text/error-message.js'
import { printable } from '../platform/text/printable.js'
import { addressKind } from './address-kind.js'
import { guardedLookup, isLocalName, type Reach, type ResolveName } from './address-rules.js'

export interface EgressProxyOptions {
  /**
   * What may be reached: `registry.npmjs.org`, `*.example.com`, with a port `localhost:8080`. Without a port, 80 and 443.
   */
  readonly domains: readonly string[]
  /** The path of the Unix socket on which the proxy listens. */
  readonly socketPath: string
  /** Finds the addresses of names; by default, the system does. */
  readonly resolveName?: ResolveName | undefined
}

/** A proxy for programs that reach nothing else. */
export interface EgressProxy {
  readonly socketPath: string
  /** What was refused, one sentence each. */
  refusals(): readonly string[]
  close(): Promise<void>
}

const MAX_REFUSALS = 100
const CONNECT_TIMEOUT_MS = 30_000
/** Headers that are about the connection to the proxy. */
const OWN_HEADERS = ['proxy-connection', 'proxy-authorization', 'connection', 'keep-alive', 'te', 'upgrade']

interface Target {
  readonly host: string
  readonly port: number
}

/** Lets programs reach domains of a list. Each address that a name leads to is checked, and is the one that is used. */
export async function openEgressProxy(options: EgressProxyOptions): Promise<EgressProxy> {
  const { domains, socketPath, resolveName } = options
  const entries = domains.map(parseEntry)
  const refusals: string[] = []
  const open = new Set<Duplex>()

  function refuse(text: string, why: string): undefined {
    const sentence = `It tried to reach ${printable(text).slice(0, 300)}: ${why}.`
    if (refusals.length < MAX_REFUSALS && !refusals.includes(sentence)) refusals.push(sentence)
    return undefined
  }

  function targetOf(text: string, defaultPort: number): (Target & { reach: Reach }) | undefined {
    const target = parseTarget(text, defaultPort)
    if (!target) return refuse(text, 'this is no host')
    const entry = entries.find((each) => each.matches(target))
    if (!entry) return refuse(text, 'it is not among the allowed domains')
    // No name is resolved where an address is written: the list names it, which allows all but the link.
    if (isIP(target.host) !== 0 && addressKind(target.host) === 'forbidden')
      return refuse(text, 'its address belongs to the link or to nobody')
    return { ...target, reach: entry.isExact && isLocalName(target.host) ? 'named' : 'outside' }
  }

  function dial(target: Target & { reach: Reach }): Socket {
    const { host, port, reach } = target
    const socket = connect({ host, port, lookup: guardedLookup(reach, resolveName), autoSelectFamily: true })
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => socket.destroy())
    socket.once('connect', () => socket.setTimeout(0))
    socket.once('error', (error) => {
      if ((error as NodeJS.ErrnoException).code === 'address_refused')
        refuse(`${host}:${port}`, errorMessage(error))
    })
    return keep(socket)
  }

  function keep<Stream extends Duplex>(stream: Stream): Stream {
    open.add(stream)
    stream.once('close', () => open.delete(stream))
    return stream
  }

  function tunnel(asked: IncomingMessage, near: Duplex, head: Buffer): void {
    keep(near)
    near.on('error', () => near.destroy())
    const target = targetOf(asked.url ?? '', 443)
    if (!target) return void near.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    const far = dial(target)
    let isOpen = false
    far.once('connect', () => {
      isOpen = true
      near.write('HTTP/1.1 200 Connection established\r\n\r\n')
      far.write(head)
      far.pipe(near)
      near.pipe(far)
    })
    far.on('error', () => (isOpen ? near.destroy() : near.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')))
    near.once('close', () => far.destroy())
    far.once('close', () => near.destroy())
  }

  function forward(asked: IncomingMessage, answer: ServerResponse): void {
    const url = asked.url ?? ''
    const parsed = url.startsWith('http://') && URL.canParse(url) ? new URL(url) : undefined
    const target = parsed ? targetOf(parsed.host, 80) : refuse(url, 'this is no http URL')
    if (!target || !parsed) return void answer.writeHead(403).end('This address is not allowed.\n')
    const headers = Object.entries(asked.headers).filter(([name]) => !OWN_HEADERS.includes(name))
    const sent = request({
      method: asked.method,
      path: parsed.pathname + parsed.search,
      // The address is what was checked: a program could name another host for the server behind it.
      headers: { ...Object.fromEntries(headers), host: parsed.host },
      createConnection: () => dial(target),
    })
    sent.once('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    sent.once('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()))
    answer.once('close', () => sent.destroy())
    asked.pipe(sent)
  }

  const server = createServer(forward)
  server.on('connect', tunnel)
  server.on('connection', keep)
  server.on('clientError', (_, socket) => socket.destroy())
  server.listen(socketPath)
  await once(server, 'listening')
  return {
    socketPath,
    refusals: () => refusals,
    async close() {
      for (const stream of open) stream.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Entry {
  readonly isExact: boolean
  matches(target: Target): boolean
}

const USUAL_PORTS: ReadonlySet<number> = new Set([80, 443])

function parseEntry(text: string): Entry {
  const [, name = text, port] = /^(.*?)(?::(\d+))?$/.exec(text.trim().toLowerCase()) ?? []
  const isPort = (asked: number): boolean =>
    port === undefined ? USUAL_PORTS.has(asked) : asked === Number(port)
  const isExact = !name.startsWith('*.')
  return {
    isExact,
    matches: ({ host, port: asked }) =>
      isPort(asked) && (isExact ? host === name : isIP(host) === 0 && host.endsWith(name.slice(1))),
  }
}

/** A host in one spelling. Only letters, digits, dots and hyphens: resolvers cut a name at other characters. */
function parseTarget(text: string, defaultPort: number): Target | undefined {
  const [, name, port] = /^([\w.-]{1,253}|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i.exec(text) ?? []
  if (name === undefined) return undefined
  const host = name
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[|\]$/g, '')
  return { host, port: port === undefined ? defaultPort : Number(port) }
}
