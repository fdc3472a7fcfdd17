import { lookup as resolveName } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { addressKind, type AddressKind } from './address-kind.js'
import { isLoopbackName } from './is-loopback.js'

/**
 * How far a request may reach, by who named its address. `named`: whoever runs this wrote it into a setting; an address of this
 * machine or the network around it is meant as it stands. `private`: somebody inside that network named it. `outside`: anybody
 * did, so that it must be an address of the world.
 */
export type Reach = 'named' | 'private' | 'outside'

/** A request that is not made. The message is the rest of a sentence and names no address. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
  readonly code = 'address_refused'
}

const WHY: Readonly<Record<Exclude<AddressKind, 'outside'>, string>> = {
  private: 'its address belongs to the network inside',
  loopback: 'its address belongs to this machine',
  forbidden: 'its address belongs to the link or to nobody',
}

/** Throws where nothing may be sent to the host of a URL as it is written; a name is looked at again when it is resolved. */
export function checkAddress({ hostname }: URL, reach: Reach): void {
  const kind = kindAsWritten(hostname)
  if (kind === undefined || kind === 'outside' || reach === 'named') return
  if (kind === 'private' && reach === 'private') return
  throw new AddressRefused(WHY[kind])
}

function kindAsWritten(hostname: string): AddressKind | undefined {
  const address = hostname.replace(/^\[|\]$/g, '')
  if (isIP(address) !== 0) return addressKind(address)
  return isLoopbackName(hostname) ? 'loopback' : undefined
}

/**
 * Resolves names for a connection, and lets it have no answer that its reach does not cover. The connection is made to the very
 * answers that were looked at, so that a name which means something else the next moment gains nothing.
 */
export function guardedLookup(reach: Reach): LookupFunction {
  return (hostname, options, done) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, [])
      const refused = addresses.map(({ address }) => whyRefused(hostname, address, reach)).find((why) => why)
      if (refused !== undefined) return done(new AddressRefused(refused), [])
      const [first] = addresses
      if (!first) return done(new AddressRefused('its name has no address'), [])
      if (options.all) done(null, addresses)
      else done(null, first.address, first.family)
    })
  }
}

function whyRefused(hostname: string, address: string, reach: Reach): string | undefined {
  const kind = addressKind(address)
  switch (kind) {
    case 'outside':
      return undefined
    case 'private':
      return reach === 'outside' ? WHY.private : undefined
    case 'loopback':
      return reach === 'named' && isLocalName(hostname) ? undefined : WHY.loopback
    case 'forbidden':
      return WHY.forbidden
  }
}

/** Names that nobody can register in the world's system of names: only this machine or its network says what they mean. */
function isLocalName(hostname: string): boolean {
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
