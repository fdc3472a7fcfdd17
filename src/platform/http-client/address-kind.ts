import { isIPv4, isIPv6 } from 'node:net'

/**
 * Whose an address is. `outside`: anybody's. `private`: of the network that this machine is in. `loopback`: of this machine.
 * `forbidden`: of the link, where clouds hand out credentials, or of nobody.
 */
export type AddressKind = 'outside' | 'private' | 'loopback' | 'forbidden'

/** Networks of IPv4 that are not the world's, by their first bits. */
const NETWORKS: readonly (readonly [string, number, AddressKind])[] = [
  ['0.0.0.0', 8, 'forbidden'],
  ['10.0.0.0', 8, 'private'],
  ['100.100.100.200', 32, 'forbidden'],
  ['100.64.0.0', 10, 'private'],
  ['127.0.0.0', 8, 'loopback'],
  ['168.63.129.16', 32, 'forbidden'],
  ['169.254.0.0', 16, 'forbidden'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'forbidden'],
  ['192.0.2.0', 24, 'forbidden'],
  ['192.88.99.0', 24, 'forbidden'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'private'],
  ['198.51.100.0', 24, 'forbidden'],
  ['203.0.113.0', 24, 'forbidden'],
  ['224.0.0.0', 4, 'forbidden'],
  ['240.0.0.0', 4, 'forbidden'],
]

/** What an address is, as the system or `URL` spells it. What cannot be read is nobody's. */
export function addressKind(address: string): AddressKind {
  if (isIPv4(address)) return kindOfV4(toNumber(address))
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  return isIPv6(plain) ? kindOfV6(groupsOf(plain)) : 'forbidden'
}

function kindOfV4(address: number): AddressKind {
  const network = NETWORKS.find(([start, bits]) => {
    const size = 2 ** (32 - bits)
    return Math.floor(address / size) === Math.floor(toNumber(start) / size)
  })
  return network?.[2] ?? 'outside'
}

function kindOfV6(groups: readonly number[]): AddressKind {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
  const isZero = a === 0 && b === 0 && c === 0 && d === 0
  // Addresses of IPv4 in the clothes of the other: what they stand for counts.
  if (isZero && e === 0 && f === 0xffff) return kindOfV4(g * 65536 + h)
  if (isZero && e === 0xffff && f === 0) return kindOfV4(g * 65536 + h)
  if (a === 0x64 && b === 0xff9b && c === 0 && d === 0 && e === 0 && f === 0) return kindOfV4(g * 65536 + h)
  if (a === 0x2002) return kindOfV4(b * 65536 + c)
  if (isZero && e === 0 && f === 0 && g === 0 && h === 1) return 'loopback'
  if (a === 0xfd00 && b === 0xec2) return 'forbidden'
  if ((a & 0xfe00) === 0xfc00 || (a & 0xffc0) === 0xfec0) return 'private'
  const isDocumentation = a === 0x2001 && (b === 0xdb8 || b < 0x200)
  return (a & 0xe000) === 0x2000 && !isDocumentation ? 'outside' : 'forbidden'
}

function toNumber(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}

/** The eight groups of an address of IPv6. */
function groupsOf(address: string): number[] {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address)
  const value = dotted ? toNumber(dotted[2]!) : 0
  const hex = (part: number): string => part.toString(16)
  const plain = dotted ? `${dotted[1]}${hex(Math.floor(value / 65536))}:${hex(value % 65536)}` : address
  const [head = '', tail] = plain.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = tail === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array<string>(missing).fill('0'), ...right].map((group) => Number.parseInt(group, 16))
}
