import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { isIn, parseAddress, type Block, type IpAddress } from '../../http-client/address-kind.js'

/** The address of the client that sent a request. */
export type ClientAddress = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string

/**
 * Behind a trusted proxy, the client is the last address in X-Forwarded-For that is no trusted proxy: each proxy adds the
 * address that it was called from, and what stands before it was written by the client. Throws a TypeError where an entry
 * is neither an address nor a range.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = trustedProxies.map(parseBlock)
  const isTrusted = (address: IpAddress): boolean => trusted.some((block) => isIn(address, block))
  return ({ socket, headers }) => {
    const peer = plain(parseAddress(socket.remoteAddress ?? ''))
    if (!peer) return socket.remoteAddress ?? ''
    if (trusted.length === 0 || !isTrusted(peer)) return peer.toString()
    let client = peer
    for (const entry of forwardedFor(headers).toReversed()) {
      const address = plain(parseAddress(withoutPort(entry.trim())))
      // Nobody can say who is behind a text that is no address.
      if (!address) break
      client = address
      if (!isTrusted(address)) break
    }
    return client.toString()
  }
}

function forwardedFor({ 'x-forwarded-for': given = [] }: IncomingMessage['headers']): readonly string[] {
  return (Array.isArray(given) ? given.join(',') : given).split(',')
}

/** Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  return (
    /^(?:\[(?<v6>[^\]]*)\]|(?<v4>[\d.]+))(?::\d+)?$/
      .exec(entry)
      ?.slice(1)
      .find((each) => each) ?? entry
  )
}

function parseBlock(entry: string): Block {
  const [text = '', prefix, ...more] = entry.split('/')
  const written = parseAddress(text)
  const network = plain(written)
  const length = network?.kind() === 'ipv4' ? 32 : 128
  const bits = prefix === undefined ? length : /^\d{1,3}$/.test(prefix) ? Number(prefix) : 0
  // A prefix of 0 bits is every address: every client could then choose its own.
  const isUsable = bits > 0 && bits <= length && (prefix === undefined || written?.kind() === network?.kind())
  if (!network || !isUsable || more.length > 0)
    throw new TypeError(
      `"${entry}" is neither an address nor a range of addresses, such as 10.0.0.5 or 10.0.0.0/8.`,
    )
  return [network, bits]
}

/** Sockets that accept both families write IPv4 addresses as IPv6. */
function plain(address: IpAddress | undefined): IpAddress | undefined {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}
