import { expect, it } from 'vitest'
import { nextHop, type Hop } from '../../src/http-client/next-hop.js'

const FROM: Hop = {
  method: 'GET',
  url: new URL('https://api.example.com/v1/items?page=1'),
  path: '/v1/items?page=1',
  headers: ['accept', 'a/b', 'x-key', 'c'],
  body: undefined,
  isOwn: true,
}
const LISTED = [
  'files.example.com',
  'files.example.com:8443',
  'api.example.com',
  '10.0.0.1',
  'xn--bcher-kva.example',
]

const led = (location: string, from: Partial<Hop> = {}): string | undefined =>
  nextHop(
    { ...FROM, ...from },
    { status: 302, headers: { location }, redirectHosts: LISTED, credentialQuery: { key: 'secret' } },
  )?.url.href

it('resolves an address against the one before', () => {
  expect(led('next?page=2#part')).toBe('https://api.example.com/v1/next?page=2')
  expect(led('?page=2')).toBe('https://api.example.com/v1/items?page=2')
  expect(led('/')).toBe('https://api.example.com/')
  expect(led('')).toBe('https://api.example.com/v1/items?page=1')
  expect(led('//files.example.com/a')).toBe('https://files.example.com/a')
  expect(led('https://api.example.com:443/a')).toBe('https://api.example.com/a')
  // Header values arrive as Latin-1.
  expect(led(Buffer.from('/bücher').toString('latin1'))).toBe('https://api.example.com/b%C3%BCcher')
})

it.each([
  'http://api.example.com/',
  'http://files.example.com/',
  'http://10.0.0.1/',
  'https://10.0.0.1/',
  'https://other.example.com/',
  'https://files.example.com:444/',
  'https://files.example.com.evil.com/',
  'https://evil.com\\@files.example.com/',
  'https://a@files.example.com/',
  'https://files.example.com./',
  'https://files.example.com/?x=secret',
  'https://',
  'ftp://files.example.com/',
])('does not go from https to %s', (location) => {
  expect(led(location)).toBeUndefined()
})

it('goes to listed hosts only, without TLS only where there was none', () => {
  expect(led('https://files.example.com:8443/')).toBe('https://files.example.com:8443/')
  expect(led('https://FILES.example.com/')).toBe('https://files.example.com/')
  expect(led(Buffer.from('https://bücher.example/').toString('latin1'))).toBe(
    'https://xn--bcher-kva.example/',
  )
  const insecure = { url: new URL('http://api.example.com/') }
  expect(led('http://files.example.com/', insecure)).toBe('http://files.example.com/')
  expect(led('https://api.example.com/', insecure)).toBe('https://api.example.com/')
  expect(led('https://other.example.com/', insecure)).toBeUndefined()
})

it('takes only headers about the form of the response to another origin, and never counts as own again', () => {
  const redirect = { status: 302, redirectHosts: LISTED, credentialQuery: undefined }
  const away = nextHop(FROM, { ...redirect, headers: { location: 'https://files.example.com/' } })
  expect(away).toMatchObject({ headers: ['accept', 'a/b'], isOwn: false })
  const within = nextHop(away!, { ...redirect, headers: { location: '/there' } })
  expect(within).toMatchObject({ headers: ['accept', 'a/b'], isOwn: false })
  const back = nextHop(away!, { ...redirect, headers: { location: 'https://api.example.com/' } })
  expect(back).toMatchObject({ headers: ['accept', 'a/b'], isOwn: false })
})
