import { isIPv4, isIPv6 } from 'node:net'

/** Whether a host is this machine, whoever resolves it: `localhost`, 127.0.0.0/8 or ::1, with or without brackets. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '[::1]') return true
  if (isIPv4(host)) return host.startsWith('127.')
  const plain = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
  // `URL` writes each address of IPv6 in one way, and takes none with a zone.
  const url = `http://[${plain}]`
  return isIPv6(plain) && URL.canParse(url) && new URL(url).hostname === '[::1]'
}

/** The same, and names below `localhost`. A resolver may give those another address: not for deciding who may connect to us. */
export function isLoopbackName(host: string): boolean {
  return isLoopback(host) || host.endsWith('.localhost')
}
