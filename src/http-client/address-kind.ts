import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Who an address belongs to. `outside`: any host on the internet. `private`: the network that this machine is in.
 * `loopback`: this machine. `forbidden`: link-local addresses, where clouds serve credentials, and ranges that no
 * server has.
 */
export type AddressKind = 'outside' | 'private' | 'loopback' | 'forbidden'

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

/** A network and the length of its prefix. */
export type Block = readonly [network: IpAddress, bits: number]

/** Single cloud services that serve credentials. The ranges around them are private or public. */
const METADATA: readonly Block[] = [
  '100.100.100.200/32', // Alibaba
  '168.63.129.16/32', // Azure
  'fd00:ec2::/32', // Amazon
  'fd20:ce::254/128', // Google
  'fd00:c1::a9fe:a9fe/128', // Oracle
  'fd00:100::100:200/128', // Alibaba
  'fd00:a9fe:a9fe::1/128', // Linode
  'fd00:42::42/128', // Scaleway
].map((block) => ipaddr.parseCIDR(block))
/** Networks of laboratories: registered as reserved, used like private ones. */
const BENCHMARKING: Block = ipaddr.parseCIDR('198.18.0.0/15')
/** All IPv6 addresses that are assigned. */
const GLOBAL_UNICAST: Block = ipaddr.parseCIDR('2000::/3')
const WELL_KNOWN_NAT64: Block = ipaddr.parseCIDR('64:ff9b::/96')

/** The kind of an address, as the system or `URL` writes it. A text that is no address is forbidden. */
export function addressKind(address: string): AddressKind {
  const parsed = parseAddress(address)
  return parsed ? kindOf(parsed) : 'forbidden'
}

/** An address, as the system or `URL` writes it. Undefined for other texts. */
export function parseAddress(address: string): IpAddress | undefined {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  switch (isIP(plain)) {
    case 4:
      return ipaddr.parse(plain)
    case 6:
      // The library would read `::1.2.3.4`, which the system writes for an address that nobody has, as the IPv4 address.
      return ipaddr.parse(new URL(`http://[${plain}]`).hostname.slice(1, -1))
    default:
      // The library also reads short, octal and hexadecimal forms, which neither the system nor `URL` writes.
      return undefined
  }
}

function kindOf(address: IpAddress): AddressKind {
  if (METADATA.some((block) => isIn(address, block))) return 'forbidden'
  if (isIn(address, BENCHMARKING)) return 'private'
  const inner = address instanceof ipaddr.IPv6 ? innerAddress(address) : undefined
  return inner ? kindOf(inner) : kindOfRange(address)
}

function kindOfRange(address: IpAddress): AddressKind {
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

/** The IPv4 address that an IPv6 address represents: a translator on the way connects to that one. */
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

export function isIn(address: IpAddress, [network, bits]: Block): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}
