import { echo, objectOf, quiet, text } from './tools.mjs'

function tools({ lib }) {
  const { defineTool, toolFailure } = lib
  const named = (name, execute) =>
    defineTool({
      namespace: 'web',
      name,
      description: `The tool ${name}.`,
      ...quiet,
      input: objectOf({ text }, []),
      execute,
    })
  return [
    echo(lib),
    named('refused', () => 'a page'),
    named('one', async () => {
      await new Promise((resolve) => setTimeout(resolve, 10))
      return 'one'
    }),
    named('few', () => 'few'),
    named('down', () => {
      throw toolFailure('dependency_unavailable', 'No answer.')
    }),
  ]
}

export const limits = {
  name: 'limits',
  isOrdered: false,
  options: (world) => ({
    tools: tools(world),
    limits: [
      { by: 'tool', of: 'web.refused', perMinute: 2, over: 'refuse' },
      { by: 'tool', of: 'web.one', concurrent: 1 },
      { by: ['tool', 'actor'], of: { tool: 'web.few' }, perRun: 2 },
    ],
    breaker: { failures: 2, openMs: 60_000 },
  }),
  async run(world) {
    const { call, crib, note: noteValue, step, watch } = world
    const surface = await crib.surface({ session: 's1', actor: 'agent:planner', maxCallsPerRun: { echo: 2 } })
    const others = await crib.surface({ session: 's2', actor: 'agent:other' })
    noteValue('surfaces', [surface.id, others.id])
    step('limits')
    for (const name of ['web.refused', 'web.few', 'echo'])
      for (let at = 0; at < 3; at += 1)
        await call(surface, { name, input: { text: 'a' } }, { label: `${name} ${at}` })
    await call(others, { name: 'web.few' }, { label: 'another actor' })
    step('one at a time')
    const calls = Array.from({ length: 3 }, () => crib.call(surface, { name: 'web.one' }))
    await Promise.all(calls.map((each, at) => watch(each, { label: at, isOneOfSeveral: true })))
    step('a breaker')
    for (let at = 0; at < 3; at += 1) await call(surface, { name: 'web.down' }, { label: at })
    noteValue('limits', await crib.limits())
  },
}
