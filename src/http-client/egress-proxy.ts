import { isIP } from 'node:net'
import { printable } from '../platform/text/printable.js'
import { addressKind } from './address-kind.js'
import { isLocalName, type Reach, type ResolveName } from './address-rules.js'
import { startGuardedProxy } from './guarded-proxy.js'

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

/** Lets programs reach domains of a list. Each address that a name leads to is checked, and is the one that is used. */
export async function openEgressProxy(options: EgressProxyOptions): Promise<EgressProxy> {
  const { domains, socketPath, resolveName } = options
  const entries = domains.map(parseEntry)
  const refusals: string[] = []
  const { close } = await startGuardedProxy({
    socketPath,
    resolveName,
    check: (url) => reachOf(url, entries),
    onRefused({ target, why }) {
      const sentence = `It tried to reach ${printable(target).slice(0, 300)}: ${why}.`
      if (refusals.length < MAX_REFUSALS && !refusals.includes(sentence)) refusals.push(sentence)
    },
  })
  return { socketPath, refusals: () => refusals, close }
}

function reachOf(url: URL, entries: readonly Entry[]): Reach | { readonly refused: string } {
  const host = url.hostname.replace(/\.$/, '').replace(/^\[|\]$/g, '')
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  const entry = entries.find((each) => each.matches({ host, port }))
  if (!entry) return { refused: 'it is not among the allowed domains' }
  if (isIP(host) === 0) return entry.isExact && isLocalName(host) ? 'named' : 'outside'
  // No name is resolved where an address is written: the list names it, which allows all but the link.
  if (addressKind(host) === 'forbidden') return { refused: 'its address belongs to the link or to nobody' }
  return 'named'
}

interface Target {
  readonly host: string
  readonly port: number
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
