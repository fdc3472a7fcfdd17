import { lookup as lookupName, type LookupAddress, type LookupAllOptions } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'
import { addressKind, type AddressKind } from './address-kind.js'
import { isLoopbackName } from './is-loopback.js'

/**
 * How far a request may reach, by who named its address. `named`: the operator wrote it into a setting; an address of
 * this machine or its network is intended. `private`: a host inside that network named it. `outside`: anyone may have
 * named it, so it must be a public address.
 */
export type Reach = 'named' | 'private' | 'outside'

/** Finds all addresses of a name; by default, the system does. */
export type ResolveName = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** A request that is not sent. The message is the rest of a sentence and names no address. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
  readonly code = 'address_refused'
}

const WHY: Readonly<Record<Exclude<AddressKind, 'outside'>, string>> = {
  private: 'its address belongs to the network inside',
  loopback: 'its address belongs to this machine',
  forbidden: 'its address belongs to the link or to nobody',
}

/** Throws where nothing may be sent to the host of a URL as written; a name is checked again when it is resolved. */
export function checkAddress({ hostname }: URL, reach: Reach): void {
  if (reach === 'named') return
  const address = withoutBrackets(hostname)
  const isAddress = isIP(address) !== 0
  const why = isAddress ? whyRefused(hostname, { address, reach }) : isLoopbackName(hostname) && WHY.loopback
  if (why) throw new AddressRefused(why)
}

function kindAsWritten(hostname: string): AddressKind | undefined {
  const address = withoutBrackets(hostname)
  if (isIP(address) !== 0) return addressKind(address)
  return isLoopbackName(hostname) ? 'loopback' : undefined
}

/**
 * Resolves names for a connection, and returns only addresses within its reach. The connection is made to exactly the
 * addresses that were checked, so that a later change of the name has no effect.
 */
export function guardedLookup(reach: Reach, resolveName: ResolveName = lookupName): LookupFunction {
  return (hostname, options, done) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, [])
      const refused = addresses.map(({ address }) => whyRefused(hostname, { address, reach })).find(Boolean)
      if (refused !== undefined) return done(new AddressRefused(refused), [])
      const [first] = addresses
      if (!first) return done(new AddressRefused('its name has no address'), [])
      if (options.all) done(null, addresses)
      else done(null, first.address, first.family)
    })
  }
}

function whyRefused(
  hostname: string,
  { address, reach }: { address: string; reach: Reach },
): string | undefined {
  const kind = addressKind(address)
  switch (kind) {
    case 'outside':
      return reach === 'outside' && isOwnAddress(address) ? WHY.loopback : undefined
    case 'private':
      return reach === 'outside' ? WHY.private : undefined
    case 'loopback':
      return reach === 'named' && isLocalName(hostname) ? undefined : WHY.loopback
    case 'forbidden':
      return WHY.forbidden
  }
}

/**
 * Whether an address is one of this machine's network cards. Services that listen on all addresses answer there, and a
 * firewall in front of the machine does not see requests that do not leave it.
 */
function isOwnAddress(address: string): boolean {
  const own = new BlockList()
  for (const card of ownCards()) own.addAddress(card.address, isIPv6(card.address) ? 'ipv6' : 'ipv4')
  // Also finds an IPv4 address that is written as an IPv6 address.
  return own.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

function ownCards(): readonly NetworkInterfaceInfo[] {
  try {
    return Object.values(networkInterfaces()).flatMap((cards) => cards ?? [])
  } catch {
    // Some sandboxes do not show them. Loopback and private addresses are refused without this list.
    return []
  }
}

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

/** Names that cannot be registered in public DNS: only this machine or its network defines them. */
export function isLocalName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  return (
    !name.includes('.') || /\.(?:localhost|local|internal|test|lan|home\.arpa|invalid|example)$/.test(name)
  )
}

/** How far addresses may reach that a peer names: no further into the network than the peer itself is. */
export async function reachOfPeer(peer: URL): Promise<Reach> {
  const written = kindAsWritten(peer.hostname)
  if (written === 'loopback') return 'named'
  if (written !== undefined) return written === 'outside' ? 'outside' : 'private'
  try {
    const addresses = await lookup(peer.hostname, { all: true })
    return addresses.some(({ address }) => addressKind(address) !== 'outside') ? 'private' : 'outside'
  } catch {
    return 'outside'
  }
}
