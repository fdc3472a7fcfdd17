import { describe, expect, it } from 'vitest'
import { createClientAddress } from '../../../src/edges/server/client-address.js'

/** The address of a client whose request comes from a socket, with X-Forwarded-For. */
const addressOf = (
  trusted: readonly string[],
  remoteAddress: string | undefined,
  forwarded?: string,
): string =>
  createClientAddress(trusted)({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  } as never)

describe('the address of a client', () => {
  it.each<[string, readonly string[], string, string | undefined, string]>([
    ['the socket without trusted proxies', [], '192.0.2.1', '192.0.2.9', '192.0.2.1'],
    ['the socket of a peer that is not trusted', ['10.0.0.0/8'], '192.0.2.1', '192.0.2.9', '192.0.2.1'],
    ['the last address before a proxy', ['10.0.0.0/8'], '10.0.0.1', '192.0.2.7, 192.0.2.9', '192.0.2.9'],
    ['the one before all proxies', ['10.0.0.0/8'], '10.0.0.1', '192.0.2.9, 10.0.0.2,10.3.0.4', '192.0.2.9'],
    ['the first where all are trusted', ['10.0.0.0/8'], '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['the proxy where it names nobody', ['10.0.0.1'], '10.0.0.1', undefined, '10.0.0.1'],
    ['the proxy where it names no address', ['10.0.0.1'], '10.0.0.1', '192.0.2.9, unknown', '10.0.0.1'],
    ['the last known one', ['10.0.0.1', '10.0.0.2'], '10.0.0.1', '192.0.2.9, _x, 10.0.0.2', '10.0.0.2'],
    ['without its port', ['10.0.0.1'], '10.0.0.1', '192.0.2.9:4711', '192.0.2.9'],
    ['of IPv6', ['fd00::/8'], 'fd00::1', '2001:DB8:0::9', '2001:db8::9'],
    ['of IPv6 without its port', ['fd00::/8'], 'fd00::1', '[2001:db8::9]:4711', '2001:db8::9'],
    ['of IPv4 as a socket of IPv6 writes it', ['10.0.0.1'], '::ffff:10.0.0.1', '192.0.2.9', '192.0.2.9'],
    ['of IPv4 as a proxy writes it', ['::ffff:10.0.0.1'], '10.0.0.1', '::ffff:192.0.2.9', '192.0.2.9'],
    ['not in octal', ['10.0.0.1'], '10.0.0.1', '0300.0.2.9', '10.0.0.1'],
  ])('is %s', (_, trusted, socket, forwarded, expected) => {
    expect(addressOf(trusted, socket, forwarded)).toBe(expected)
  })

  it('is empty where the socket is closed', () => {
    expect(addressOf(['10.0.0.1'], undefined, '192.0.2.9')).toBe('')
  })

  it.each([
    '',
    'localhost',
    '10.0.0',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '::/129',
    '0.0.0.0/0',
    '::/0',
  ])('is not taken from the proxies "%s"', (entry) => {
    expect(() => createClientAddress([entry])).toThrow(/neither an address nor a range/)
  })
})
