import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Whether a host is this machine, whoever resolves it: `localhost`, 127.0.0.0/8 or ::1, with or without brackets. */
export function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[(.*)\]$/, '$1')
  return plain === 'localhost' || (isIP(plain) !== 0 && ipaddr.parse(plain).range() === 'loopback')
}

/** The same, and names below `localhost`. A resolver may give those another address: not for deciding who may connect to us. */
export function isLoopbackName(host: string): boolean {
  return isLoopback(host) || host.endsWith('.localhost')
}
