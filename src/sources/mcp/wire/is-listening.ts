import { connect } from 'node:net'

const TIMEOUT_MS = 5000

/** Whether anybody takes connections there. */
export function isListening({ protocol, hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({
      // An address of version 6 stands in brackets there.
      host: hostname.replaceAll(/[[\]]/g, ''),
      port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      timeout: TIMEOUT_MS,
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
