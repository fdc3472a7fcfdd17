import { expect, it } from 'vitest'
import { addressKind, type AddressKind } from '../../src/http-client/address-kind.js'
import { isLoopback, isLoopbackName } from '../../src/http-client/is-loopback.js'

type Row = readonly [first: string, last: string, kind: AddressKind]

/** Every special range of IPv4, by its first and last address, and the public addresses beside it. */
const IPV4: readonly Row[] = [
  ['0.0.0.0', '0.255.255.255', 'forbidden'],
  ['1.0.0.0', '9.255.255.255', 'outside'],
  ['10.0.0.0', '10.255.255.255', 'private'],
  ['11.0.0.0', '100.63.255.255', 'outside'],
  ['100.64.0.0', '100.100.100.199', 'private'],
  ['100.100.100.200', '100.100.100.200', 'forbidden'],
  ['100.100.100.201', '100.127.255.255', 'private'],
  ['100.128.0.0', '126.255.255.255', 'outside'],
  ['127.0.0.0', '127.255.255.255', 'loopback'],
  ['128.0.0.0', '168.63.129.15', 'outside'],
  ['168.63.129.16', '168.63.129.16', 'forbidden'],
  ['168.63.129.17', '169.253.255.255', 'outside'],
  ['169.254.0.0', '169.254.255.255', 'forbidden'],
  ['169.255.0.0', '172.15.255.255', 'outside'],
  ['172.16.0.0', '172.31.255.255', 'private'],
  ['172.32.0.0', '191.255.255.255', 'outside'],
  ['192.0.0.0', '192.0.0.255', 'forbidden'],
  ['192.0.1.0', '192.0.1.255', 'outside'],
  ['192.0.2.0', '192.0.2.255', 'forbidden'],
  ['192.0.3.0', '192.31.195.255', 'outside'],
  ['192.88.99.0', '192.88.99.255', 'forbidden'],
  ['192.88.100.0', '192.167.255.255', 'outside'],
  ['192.168.0.0', '192.168.255.255', 'private'],
  ['192.169.0.0', '192.175.47.255', 'outside'],
  ['198.17.255.255', '198.17.255.255', 'outside'],
  ['198.18.0.0', '198.19.255.255', 'private'],
  ['198.20.0.0', '198.51.99.255', 'outside'],
  ['198.51.100.0', '198.51.100.255', 'forbidden'],
  ['198.51.101.0', '203.0.112.255', 'outside'],
  ['203.0.113.0', '203.0.113.255', 'forbidden'],
  ['203.0.114.0', '223.255.255.255', 'outside'],
  ['224.0.0.0', '239.255.255.255', 'forbidden'],
  ['240.0.0.0', '255.255.255.255', 'forbidden'],
]

const IPV6: readonly Row[] = [
  ['::', '::', 'forbidden'],
  ['::1', '0:0:0:0:0:0:0:1', 'loopback'],
  ['::2', '::a00:1', 'forbidden'],
  ['64:ff9b:1::a00:1', '64:ff9b:1:ffff:ffff:ffff:101:101', 'forbidden'],
  ['::7f00:1', '::127.0.0.1', 'forbidden'],
  ['::808:808', '::8.8.8.8', 'forbidden'],
  ['100::1', '1fff:ffff::1', 'forbidden'],
  ['2001::1', '2001:1ff:ffff::1', 'forbidden'],
  ['2001:200::1', '2001:db7:ffff::1', 'outside'],
  ['2001:db8::1', '2001:DB8:ffff::1', 'forbidden'],
  ['2001:db9::1', '2001:ffff::1', 'outside'],
  ['2003::1', '3ffe:ffff::1', 'outside'],
  ['3fff::1', '3fff:fff:ffff::1', 'forbidden'],
  ['4000::1', 'fbff:ffff::1', 'forbidden'],
  ['fc00::1', 'fdff:ffff::1', 'private'],
  ['fd00:ec2::254', 'FD00:0EC2:ffff::1', 'forbidden'],
  ['fd20:ce::254', 'fd00:c1::a9fe:a9fe', 'forbidden'],
  ['fd20:ce::253', 'fd20:ce::255', 'private'],
  ['fd00:100::100:200', 'fd00:a9fe:a9fe::1', 'forbidden'],
  ['fd00:42::42', 'fd00:42:0:0:0:0:0:42', 'forbidden'],
  ['fe00::1', 'fe7f:ffff::1', 'forbidden'],
  ['fe80::1', 'febf:ffff::1%eth0', 'forbidden'],
  ['fec0::1', 'feff:ffff::1', 'private'],
  ['ff00::1', 'ffff:ffff::1', 'forbidden'],
]

/** The ways to write an IPv4 address as an IPv6 address. */
function notations(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const [high, low] = [(a * 256 + b).toString(16), (c * 256 + d).toString(16)]
  return [
    address,
    `::ffff:${address}`,
    `[::FFFF:${high}:${low}]`,
    `0:0:0:0:0:ffff:${high}:${low}`,
    `::ffff:0:${high}:${low}`,
    `64:ff9b::${address}`,
    `64:ff9b:0:0:0:0:${high}:${low}`,
    `2002:${high}:${low}::1`,
    `2002:${high}:${low}:ffff:ffff:ffff:ffff:ffff`,
  ]
}

it('gives each special range its kind, up to its first and last address, in every notation', () => {
  const wrong: string[] = []
  const expectKind = (address: string, kind: AddressKind): void => {
    if (addressKind(address) !== kind) wrong.push(`${address}: ${addressKind(address)}, not ${kind}`)
  }
  for (const [first, last, kind] of IPV4)
    for (const address of [first, last].flatMap(notations)) expectKind(address, kind)
  for (const [first, last, kind] of IPV6)
    for (const address of [first, `[${first}]`, last]) expectKind(address, kind)
  expect(wrong).toEqual([])
})

it('accepts no text as an address that the system does not write', () => {
  const texts = [
    '',
    'localhost',
    '127.1',
    '127.999.0.1',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '2130706433',
    '1.2.3.4.5',
    '::1::',
    '1::g',
  ]
  expect(texts.map((text) => addressKind(text))).toEqual(texts.map(() => 'forbidden'))
})

it('recognizes this machine by its name and its addresses', () => {
  const own = ['localhost', '127.0.0.1', '127.255.255.254', '::1', '[::1]', '[0:0:0:0:0:0:0:1]']
  const others = [
    '',
    'localhost.example.com',
    '127.0.0.1.example.com',
    '127.1',
    '128.0.0.1',
    '0.0.0.0',
    '::',
    '[::2]',
    '[::1]:80',
    '::1%lo',
    'a:b@[::1]',
    '[::1]/a',
    '[::1]#',
  ]
  expect(own.filter((host) => !isLoopback(host) || !isLoopbackName(host))).toEqual([])
  expect(others.filter((host) => isLoopback(host) || isLoopbackName(host))).toEqual([])
  // A translator decides where these lead, and a resolver decides it for names below localhost.
  const unsure = ['[::ffff:127.0.0.1]', '64:ff9b::7f00:1', 'a.localhost']
  expect(unsure.map((host) => isLoopback(host))).toEqual([false, false, false])
  // The last dot only says that a name is complete.
  const names = ['a.localhost', 'localhost.', 'LOCALHOST.', 'a.b.Localhost.']
  expect(names.filter((name) => !isLoopbackName(name))).toEqual([])
  expect(['localhost.', 'LOCALHOST'].filter((name) => isLoopback(name))).toEqual([])
  const near = ['localhost..', 'xlocalhost', 'localhost.com', '.localhost.evil', 'lосalhost']
  expect(near.filter((name) => isLoopbackName(name))).toEqual([])
})
