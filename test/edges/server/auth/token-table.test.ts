import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { challenge } from '../../../../src/edges/server/auth/challenge.js'
import { firstThatKnows } from '../../../../src/edges/server/auth/first-that-knows.js'
import {
  protectedResourceMetadata,
  protectedResourceMetadataUrl,
} from '../../../../src/edges/server/auth/protected-resource-metadata.js'
import { refuse } from '../../../../src/edges/server/auth/refuse.js'
import { tokenTable } from '../../../../src/edges/server/auth/token-table.js'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const asking = (authorization?: string) => ({
  headers: authorization === undefined ? {} : { authorization },
  url: '/mcp',
})

describe('static tokens', () => {
  const authenticate = tokenTable([
    { sha256: sha256('adas-token'), actor: 'ada', surface: 'lab', rateLimitPerMinute: 60 },
    {
      sha256: `sha256:${sha256('bobs-token').toUpperCase()}`,
      actor: 'bob',
      tenant: 'shop',
    },
    { token: 'printed-token', actor: 'local' },
  ])

  it('identify the caller', async () => {
    expect(await authenticate(asking('Bearer adas-token'))).toMatchObject({
      actor: 'ada',
      surface: 'lab',
      rateLimitPerMinute: 60,
    })
    expect(await authenticate(asking('bearer bobs-token'))).toMatchObject({ actor: 'bob', tenant: 'shop' })
    const caller = await authenticate(asking('Bearer printed-token'))
    expect(caller).toMatchObject({ actor: 'local', token: sha256('printed-token') })
    expect(JSON.stringify(caller)).not.toContain('printed')
  })

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearer wrong',
    'Bearer adas-token x',
    'Basic adas-token',
    'adas-token',
  ])('%s is refused', async (authorization) => {
    const refusal = await authenticate(asking(authorization))
    expect(refusal).toMatchObject({ status: 401 })
    expect(JSON.stringify(refusal)).not.toContain('adas')
  })

  it('must be valid and different', () => {
    expect(() => tokenTable([{ sha256: 'abc', actor: 'ada' }])).toThrow(/64 hex digits/)
    expect(() => tokenTable([{ actor: 'ada' }])).toThrow(/64 hex digits/)
    expect(() => tokenTable([{ token: 'two words', actor: 'ada' }])).toThrow(/letters, digits/)
    const same = { sha256: sha256('x') }
    expect(() =>
      tokenTable([
        { ...same, actor: 'ada' },
        { ...same, actor: 'bob' },
      ]),
    ).toThrow(/same token/)
  })

  it('are combined with others: the first that knows the caller decides', async () => {
    const other = tokenTable([{ token: 'other', actor: 'eve' }])
    const both = firstThatKnows([authenticate, other])
    expect(await both(asking('Bearer other'))).toMatchObject({ actor: 'eve' })
    expect(await both(asking('Bearer adas-token'))).toMatchObject({ actor: 'ada' })
    expect(await both(asking('Bearer nobodys'))).toMatchObject({ status: 401 })
    const strict = firstThatKnows([async () => refuse('scope'), authenticate])
    expect(await strict(asking('Bearer adas-token'))).toMatchObject({ status: 403 })
  })
})

describe('the challenge for a client', () => {
  it('says where to get a token', () => {
    expect(protectedResourceMetadataUrl('https://tools.example/mcp')).toBe(
      'https://tools.example/.well-known/oauth-protected-resource/mcp',
    )
    expect(protectedResourceMetadataUrl('https://tools.example')).toBe(
      'https://tools.example/.well-known/oauth-protected-resource',
    )
    expect(
      protectedResourceMetadata({
        resource: 'https://tools.example/mcp',
        issuers: ['https://login.example'],
        scopes: ['tools'],
      }),
    ).toEqual({
      resource: 'https://tools.example/mcp',
      authorization_servers: ['https://login.example'],
      scopes_supported: ['tools'],
      bearer_methods_supported: ['header'],
      resource_name: 'Toolcrib',
    })
  })

  it('is one header from which no value can break out', () => {
    expect(challenge()).toBe('Bearer realm="toolcrib"')
    expect(
      challenge({
        error: 'insufficient_scope',
        scope: ['a', 'b"\r\nx: y'],
        resourceMetadataUrl: 'https://x.example/',
      }),
    ).toBe(
      'Bearer realm="toolcrib", error="insufficient_scope", scope="a b\\"x: y", resource_metadata="https://x.example/"',
    )
  })
})
