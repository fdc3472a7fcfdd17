import { isIPv4, isIPv6 } from 'node:net'

/** Whether a host is this machine for every resolver: `localhost`, 127.0.0.0/8 or ::1, with or without brackets. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '[::1]') return true
  if (isIPv4(host)) return host.startsWith('127.')
  const plain = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
  // `URL` has one spelling for each IPv6 address, and accepts none with a zone.
  const url = `http://[${plain}]`
  return isIPv6(plain) && URL.canParse(url) && new URL(url).hostname === '[::1]'
}

/**
 * The same in any case and with a last dot, and names below `localhost`. A resolver may map those to another address:
 * not for deciding who may connect to us.
 */
export function isLoopbackName(host: string): boolean {
  const name = host.toLowerCase().replace(/(?<=[^.])\.$/, '')
  return isLoopback(name) || name.endsWith('.localhost')
}
