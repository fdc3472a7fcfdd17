import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Who an address belongs to. `outside`: anybody on the internet. `private`: the network that this machine is in. `loopback`: this
 * machine. `forbidden`: the link, where clouds hand out credentials, and ranges that no server has.
 */
export type AddressKind = 'outside' | 'private' | 'loopback' | 'forbidden'

type Block = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Single services of clouds that hand out credentials. The ranges around them are private or public. */
const METADATA: readonly Block[] = ['100.100.100.200/32', '168.63.129.16/32', 'fd00:ec2::/32'].map((block) =>
  ipaddr.parseCIDR(block),
)
/** Networks of laboratories: registered as reserved, used like private ones. */
const BENCHMARKING: Block = ipaddr.parseCIDR('198.18.0.0/15')
/** All addresses of IPv6 that are given to anybody. */
const GLOBAL_UNICAST: Block = ipaddr.parseCIDR('2000::/3')
const WELL_KNOWN_NAT64: Block = ipaddr.parseCIDR('64:ff9b::/96')

/** The kind of an address, as the system or `URL` writes it. A text that is no address is forbidden. */
export function addressKind(address: string): AddressKind {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  // The library also reads short, octal and hexadecimal forms, which neither the system nor `URL` writes.
  return isIP(plain) === 0 ? 'forbidden' : kindOf(ipaddr.parse(plain))
}

function kindOf(address: ipaddr.IPv4 | ipaddr.IPv6): AddressKind {
  if (METADATA.some((block) => isIn(address, block))) return 'forbidden'
  if (isIn(address, BENCHMARKING)) return 'private'
  const inner = address instanceof ipaddr.IPv6 ? innerAddress(address) : undefined
  return inner ? kindOf(inner) : kindOfRange(address)
}

function kindOfRange(address: ipaddr.IPv4 | ipaddr.IPv6): AddressKind {
  // Text: the library's types do not list all of its ranges.
  switch (address.range() as string) {
    case 'unicast':
      return address.kind() === 'ipv4' || isIn(address, GLOBAL_UNICAST) ? 'outside' : 'forbidden'
    case 'loopback':
      return 'loopback'
    case 'private':
    case 'carrierGradeNat':
    case 'uniqueLocal':
    case 'deprecatedSiteLocal':
      return 'private'
    default:
      // Fail closed: also a range that a later version of the library adds.
      return 'forbidden'
  }
}

/** The address of IPv4 that an address of IPv6 stands for: a translator on the way connects to that one. */
function innerAddress(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray()
  switch (address.range()) {
    case 'ipv4Mapped':
    case 'rfc6145':
      return new ipaddr.IPv4(bytes.slice(12))
    case 'rfc6052':
      return isIn(address, WELL_KNOWN_NAT64) ? new ipaddr.IPv4(bytes.slice(12)) : undefined
    case '6to4':
      return new ipaddr.IPv4(bytes.slice(2, 6))
    default:
      return undefined
  }
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Block): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}
