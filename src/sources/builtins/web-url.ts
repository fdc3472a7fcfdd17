import type { Reach } from '../../http-client/address-rules.js'

/**
 * How far a request to a URL may reach: a host that the settings name may be on this machine or in its network, any
 * other must be outside. A host is `localhost`, `localhost:8080`, `10.0.0.5` or `*.internal`.
 */
export function reachOfUrl(hosts: readonly string[]): (url: URL) => Extract<Reach, 'named' | 'outside'> {
  const named = hosts.map((host) => host.toLowerCase())
  return ({ hostname, host, port, protocol }) => {
    const withPort = port === '' ? `${hostname}:${protocol === 'https:' ? 443 : 80}` : host
    const isNamed = named.some((name) =>
      name.startsWith('*.')
        ? hostname.endsWith(name.slice(1)) || withPort.endsWith(name.slice(1))
        : name === hostname || name === withPort,
    )
    return isNamed ? 'named' : 'outside'
  }
}

/** Why a text is no URL of a web page that may be opened; undefined where it is one. */
export function whyNotWebUrl(given: string): string | undefined {
  if (!URL.canParse(given)) return '"url" must be a whole URL, such as https://example.com/page.'
  const { protocol, username, password } = new URL(given)
  if (protocol !== 'http:' && protocol !== 'https:') return '"url" must be an http or https URL.'
  return username === '' && password === '' ? undefined : '"url" must not hold a name or a password.'
}
