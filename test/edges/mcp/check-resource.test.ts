import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkResource } from '../../../src/edges/mcp/resources/check-resource.js'
import type { Connection } from '../../../src/edges/mcp/connection.js'
import type { ServedResource } from '../../../src/edges/mcp/resources/served-resource.js'
import { createCrib, memoryStore, type Crib } from '../../../src/index.js'
import { keyFilePath } from '../../../src/platform/sealing/user-keys.js'

let crib: Crib
beforeAll(async () => {
  crib = await createCrib({
    store: memoryStore(),
    permission: { mode: 'bypass', deny: ['Read(.env)'], ask: ['Read(//srv/**)'] },
  })
})
afterAll(() => crib.close())

function isRead(ownUri: string, settings: object): boolean {
  const resource = { server: { settings }, uri: ownUri, ownUri } as unknown as ServedResource
  try {
    checkResource(resource, { gateway: { crib }, caller: { actor: 'user:ann' } } as unknown as Connection)
    return true
  } catch {
    return false
  }
}

it.each<[string, boolean]>([
  ['file:///tmp/open.md', true],
  ['memo://notes/1', true],
  ['https://example.com/.env', true],
  ['file:///tmp/.env', false],
  ['file:///tmp/%2eenv', false],
  ['notes:///tmp/.env', false],
  ['file:///srv/a', false],
  [`file://${keyFilePath()}`, false],
])('a resource of a program on this machine obeys rules about files: %s', (uri, expected) => {
  expect(isRead(uri, { command: 'node' })).toBe(expected)
  expect(isRead(uri, { url: 'http://127.0.0.1:1/mcp' })).toBe(expected)
})

it('rules about files do not apply to resources of a server on another machine', () => {
  expect(isRead('file:///tmp/.env', { url: 'https://files.example.com/mcp' })).toBe(true)
})
