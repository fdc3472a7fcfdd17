import { echo, note, objectOf, quiet, text } from './tools.mjs'

const verbs = ['read', 'search', 'send', 'archive', 'label', 'forward', 'purge']

function mailTools({ lib }) {
  return verbs.map((name) =>
    lib.defineTool({
      namespace: 'mail',
      name,
      description: `${name} mail. Use it when the person asks for it in so many words, and not before.`,
      ...quiet,
      input: objectOf({ id: text }, []),
      execute: ({ id }) => `${name}: ${id}`,
    }),
  )
}

const namesOf = (surface) => surface.tools().map(({ toolId }) => toolId)

async function changeSurfaces(world) {
  const { call, crib, lib, note: noteValue, step } = world
  step('a surface that changes')
  const surface = await crib.surface({ session: 's1', include: ['echo', 'mail.read'] })
  noteValue('record', surface.record)
  await call(surface, { name: 'mail.send', input: {} }, { label: 'not on it' })
  await surface.update({ include: ['echo', 'mail.*'] })
  noteValue('record after an update', surface.fullRecord())
  await call(surface, { name: 'mail.send', input: { id: 'm1' } }, { label: 'on it' })
  const extra = lib.defineTool({
    namespace: 'mail',
    name: 'extra',
    description: 'More.',
    ...quiet,
    execute: () => 1,
  })
  const added = await crib.add([extra])
  await call(surface, { name: 'mail.extra' }, { label: 'added' })
  noteValue('names', namesOf(surface))
  await added.dispose()
  await call(surface, { name: 'mail.extra' }, { label: 'removed' })
  noteValue('retired', await crib.retire('mail.purge'))
  await call(surface, { name: 'mail.purge', input: {} }, { label: 'retired' })
  noteValue('opened again', (await crib.openSurface(surface.id)).record)
  const only = await crib.surface({ session: 's2', selectionPolicy: { kind: 'only', tools: ['echo'] } })
  await call(only, { name: 'mail.read', input: {} }, { label: 'not selected' })
  const gap = await crib.surface({ session: 's3', capabilityRequirements: ['flying'] })
  await call(gap, { name: 'echo', input: { text: 'a' } }, { label: 'a missing capability' })
  const none = await crib.surface({ session: 's4', defaultToolChoice: 'none' })
  await call(none, { name: 'echo', input: { text: 'a' } }, { label: 'no choice' })
}

async function defer(world, way) {
  const { call, crib, note: noteValue, step } = world
  step(`deferred, ${way}`)
  const surface = await crib.surface({
    session: `deferred ${way}`,
    deferral: { budgetTokens: 100, always: ['mail.search'], never: ['mail.label'], way },
  })
  noteValue('record', surface.record)
  await call(surface, { name: 'mail.archive', input: {} }, { label: 'not loaded' })
  await call(surface, { name: 'tool.search', input: { query: 'archive mail' } }, { label: 'search' })
  await call(
    surface,
    { name: 'tool.search', input: { query: 'select:mail.send,mail.none' } },
    { label: 'select' },
  )
  await call(surface, { name: 'mail.send', input: { id: 'm1' } }, { label: 'loaded' })
  await call(
    surface,
    { name: 'tool.call', input: { name: 'mail.send', input: { id: 'm2' } } },
    { label: 'by a call' },
  )
  noteValue('loaded', await surface.load(['mail.forward', 'mail.none']))
  noteValue('lookup', surface.lookup('mail.label'))
  noteValue('found', await surface.search('label mail'))
  noteValue(
    'listed',
    surface.listed().map(({ tool }) => tool?.toolId),
  )
}

export const surfaces = {
  name: 'surfaces',
  options: (world) => ({ tools: [echo(world.lib), note(world.lib), ...mailTools(world)] }),
  async run(world) {
    for (const way of ['load', 'pair', 'native']) await defer(world, way)
    await changeSurfaces(world)
  },
}
