import { expect, it, onTestFinished, vi } from 'vitest'
import { createCrib } from '../../../src/crib/create-crib.js'
import { routes } from '../../../src/edges/http-api/routes.js'
import { isPublic } from '../../../src/edges/http-api/route.js'
import { defineTool } from '../../../src/index.js'
import { openapiSource } from '../../../src/openapi.js'
import { memoryStore } from '../../../src/storage/memory/memory-store.js'
import { openApi, tokenOf } from './support/open-api.js'

const hello = defineTool({
  namespace: 'test',
  name: 'hello',
  description: 'Says hello.',
  input: { jsonSchema: { type: 'object' } },
  isReadOnly: true,
  isOpenWorld: false,
  execute: async () => ({ said: 'hello' }),
})

it('can be imported as tools of another crib', async () => {
  vi.stubEnv('OWN_API_TOKEN', tokenOf('agent'))
  onTestFinished(() => void vi.unstubAllEnvs())
  const { url } = await openApi({ tools: [hello] })
  const source = openapiSource({
    name: 'crib',
    document: `${url}/api/v1/openapi.json`,
    credentials: { token: { source: 'env', name: 'OWN_API_TOKEN' } },
  })
  const other = await createCrib({
    store: memoryStore(),
    sources: [source],
    decider: () => ({ behavior: 'allow' }),
  })
  onTestFinished(() => other.close({ graceMs: 0 }))
  await other.caughtUp()
  const names = other.tools().filter(({ source: from }) => from !== 'toolcrib')
  expect(names.map(({ qualifiedName }) => qualifiedName)).toHaveLength(routes.length)
  const surface = await other.surface()
  const result = await other.call(surface, {
    name: 'api.crib.callTool',
    input: { body: { tool: 'test.hello' } },
  })
  expect(result).toMatchObject({
    status: 'succeeded',
    structured_content: { structured_content: { said: 'hello' } },
  })
})

it('has an id, a summary and roles for every route', () => {
  const ids = routes.map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const route of routes) {
    expect(route.summary, route.path).toMatch(/^[A-Z].*[^.]$/)
    if (!isPublic(route)) expect(route.roles.length, route.path).toBeGreaterThan(0)
  }
})
