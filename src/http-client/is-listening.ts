import { connect } from 'node:net'
import { guardedLookup } from './address-rules.js'

const TIMEOUT_MS = 5000

/** Whether a server accepts connections at a URL from a setting. Nothing is sent. */
export function isListening({ protocol, hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({
      // `URL` puts an IPv6 address into brackets.
      host: hostname.replaceAll(/[[\]]/g, ''),
      port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      timeout: TIMEOUT_MS,
      lookup: guardedLookup('named'),
    })
    const tell = (isThere: boolean): void => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => tell(true))
    socket.once('error', () => tell(false))
    socket.once('timeout', () => tell(false))
  })
}
