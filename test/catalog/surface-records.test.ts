import { describe, expect, it } from 'vitest'
import { defineTool } from 'toolcrib'
import { collect, openCrib } from '../scenarios/open-crib.js'

const many = (count: number, name: string, more: object = {}) =>
  Array.from({ length: count }, (_, index) =>
    defineTool({
      namespace: `provider.number.${name}`,
      name: `${name}_${index}`,
      description: 'One of many.',
      searchHint: 'one of the very many tools of a large provider',
      execute: () => index,
      ...more,
    }),
  )

describe('the stored record of a large surface stays below 20 KB', () => {
  it('where some tools are deferred, blocked and excluded', async () => {
    const crib = await openCrib({
      tools: [
        ...many(4400, 'plain'),
        ...many(200, 'later', { shouldDefer: true }),
        ...many(200, 'keyed', { requiredCredentials: ['github'] }),
        ...many(200, 'admin', { roles: ['admin'] }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    expect(JSON.stringify(surface.record).length).toBeLessThan(20_000)
  })

  it('where the request names every tool', async () => {
    const tools = many(5000, 'plain')
    const crib = await openCrib({ tools })
    const include = tools.map(({ namespace, name }) => `${namespace}.${name}`)
    const surface = await crib.surface({ scope: 'turn', include })
    expect(surface.tools()).toHaveLength(5000)
    expect(JSON.stringify(surface.record).length).toBeLessThan(20_000)
  })

  it('where an update adds them all', async () => {
    const crib = await openCrib()
    const surface = await crib.surface({ scope: 'turn' })
    await crib.add(many(5000, 'a_rather_long_name_as_generated_clients_have_them'))
    expect(JSON.stringify(surface.record).length).toBeLessThan(20_000)
  })

  it('and it can still be found by a tool that it loads', async () => {
    const crib = await openCrib({ tools: many(5000, 'plain') })
    const surface = await crib.surface({ scope: 'turn' })
    const found = await collect(crib.surfaces({ tool: 'provider.number.plain.plain_7' }))
    expect(found.map(({ surface_id: id }) => id)).toEqual([surface.id])
  })
})
