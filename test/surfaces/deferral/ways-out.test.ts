import { expect, it } from 'vitest'
import { defineTool, memoryStore, type CribOptions, type SurfaceRequest } from 'toolcrib'
import { openCrib } from '../../scenarios/open-crib.js'
import { deferralIn, idsOf, tool, tools } from './make-tools.js'

const deferral = { budgetTokens: 150, always: ['a'] }

async function place(options: CribOptions = {}, request: Partial<SurfaceRequest> = {}) {
  const crib = await openCrib({ tools: tools('a', 'b', 'c', 'd'), ...options })
  const surface = await crib.surface({ scope: 'turn', deferral, ...request })
  const refused = async (name: string) => (await crib.call(surface, { name })).error!
  return { crib, surface, refused }
}

const ownSearch = defineTool({
  namespace: 'tool',
  name: 'search',
  description: 'Finds tools in its own way.',
  isReadOnly: true,
  isOpenWorld: false,
  execute: () => 'mine',
})

it('a tool that must be called is loaded, also beyond the budget', async () => {
  const { crib, surface } = await place({}, { defaultToolChoice: { tool: 'local.c' } })
  expect(idsOf(surface)).toEqual(['local.c'])
  expect((await crib.call(surface, { name: 'c' })).status).toBe('succeeded')
})

it.each<SurfaceRequest['deferral']>([
  { budgetTokens: 1 },
  { budgetTokens: 1, never: ['*'] },
  { never: ['*'] },
])('a search of the host is never deferred itself: %j', async (asked) => {
  const { surface } = await place({ tools: [ownSearch, ...tools('a', 'b')] }, { deferral: asked! })
  expect(surface.tools().map(({ toolId }) => toolId)).toEqual(['tool.search'])
})

it('a pair that would not work is rejected', async () => {
  await expect(
    place({ tools: [ownSearch, ...tools('a', 'b')] }, { deferral: { way: 'pair' } }),
  ).rejects.toThrow(/needs tool\.search for itself.*rename/)
})

it.each<[string, CribOptions, Partial<SurfaceRequest>]>([
  ['a rule denies the search', { permission: { deny: ['tool.search'] } }, {}],
  ['the surface excludes it', {}, { exclude: ['tool.search'] }],
  ['only the runtime selects', {}, { selectionPolicy: { kind: 'runtime_only' } }],
  ['nothing is called', {}, { defaultToolChoice: 'none' }],
])('no closed way is suggested: %s', async (_why, options, request) => {
  const { refused } = await place(options, request)
  const error = await refused('b')
  expect(error).toMatchObject({ error_class: 'schema_not_loaded', recoverability: 'not_recoverable' })
  expect(JSON.stringify(error)).not.toContain('tool.search')
})

it('nor when the search was retired', async () => {
  const { crib, refused } = await place()
  expect(JSON.stringify(await refused('b'))).toContain('tool.search')
  await crib.retire('tool.search')
  expect(JSON.stringify(await refused('b'))).not.toContain('tool.search')
})

it('a misspelled name leads to the deferred tool, and to the search', async () => {
  const { refused } = await place({ tools: tools('a', 'weather_today', 'weather_week') })
  expect((await refused('weather_todai')).message).toBe(
    'There is no tool "weather_todai" here; did you mean "weather_today"? tool__search finds others.',
  )
  expect((await refused('qqqqqqqq')).message).toBe(
    'There is no tool "qqqqqqqq" here; find one with tool__search.',
  )
})

it('an ambiguous name reveals no denied tools', async () => {
  const send = (namespace: string, more: object = {}) => tool('send', { namespace, ...more })
  const late = { shouldDefer: true }
  const answer = async (given: ReturnType<typeof send>[], deny: string[]) => {
    const crib = await openCrib({ tools: given, permission: { deny } })
    const result = await crib.call(await crib.surface({ scope: 'turn' }), { name: 'send' })
    return result.error!
  }
  const one = await answer([send('mail', late), send('vault', late)], ['vault.*'])
  expect(one.error_class).toBe('schema_not_loaded')
  expect(one.message).toContain('mail.send')
  const two = await answer([send('mail', late), send('post', late), send('vault', late)], ['vault.*'])
  expect(two.message).toBe('"send" is the name of several tools; call one of mail.send, post.send.')
  const none = await answer([send('vault'), send('safe')], ['vault.*', 'safe.*'])
  expect(none.message).toBe('There is no tool "send" here; see which tools there are.')
  for (const error of [one, two, none]) expect(JSON.stringify(error)).not.toContain('vault')
})

it.each(['session', 'client', 'name'])('an empty "%s" is refused', async (key) => {
  await expect(place({}, { [key]: '' })).rejects.toThrow(
    `crib.surface: "${key}" is empty; leave it out where there is none.`,
  )
})

it.each(['pair', 'native'] as const)('the record counts what is on the list: %s', async (way) => {
  const { surface } = await place({}, { deferral: { ...deferral, way } })
  const before = deferralIn(surface)
  await surface.load(['c', 'd'])
  for (const key of ['loaded_tokens', 'saved_tokens', 'deferred_tokens'])
    expect(deferralIn(surface)[key], key).toBe(before[key])
})

it('a named tool can be called by the pair, though nothing else is deferred', async () => {
  const given = [tool('a'), tool('b', { shouldDefer: true })]
  const { crib, surface } = await place({ tools: given }, { deferral: { way: 'pair' }, load: ['b'] })
  expect(surface.tools().map(({ toolId }) => toolId)).toEqual(['local.a', 'tool.call', 'tool.search'])
  const result = await crib.call(surface, { name: 'tool.call', input: { name: 'b', arguments: {} } })
  expect(result.status).toBe('succeeded')
})

it('a tool that is denied after it was loaded counts as missing', async () => {
  const memory = memoryStore()
  let meanwhile: (() => Promise<void>) | undefined
  const sync = async (): Promise<void> => {
    const work = meanwhile
    meanwhile = undefined
    await work?.()
    await memory.sync()
  }
  const { crib, surface } = await place({ store: { ...memory, sync } })
  const rules = ['local.c']
  meanwhile = () => crib.policy.update({ type: 'add_rules', behavior: 'deny', rules, destination: 'session' })
  const outcome = await surface.load(['b', 'c'])
  expect(outcome).toEqual({ loaded: ['local.b'], already: [], missing: ['c'], pending: [] })
})
