import { add, anyObject, echo, note as noteTool, quiet } from './tools.mjs'

function tools({ lib, clock }) {
  const sleep = lib.defineTool({
    name: 'sleep',
    description: 'Waits for a moment.',
    ...quiet,
    input: anyObject,
    execute: async ({ ms }) => {
      await new Promise((resolve) => setTimeout(resolve, ms))
      return { slept: ms }
    },
  })
  const fails = lib.defineTool({
    name: 'fails',
    description: 'Fails.',
    ...quiet,
    input: anyObject,
    execute: ({ at }) => {
      throw new Error(`Not at ${at}.`)
    },
  })
  return [echo(lib), noteTool(lib), add(lib, clock), sleep, fails]
}

/** One of several kinds of calls, by its number. */
function callAt(at) {
  const kinds = [
    { name: 'echo', input: { text: `text ${at}` } },
    { name: 'note', input: { text: `note ${at}` } },
    { name: 'math.add', input: { a: 0, b: at } },
    { name: 'sleep', input: { ms: at % 7 } },
    { name: 'fails', input: { at } },
    { name: 'math.add', input: { a: 'x', b: at } },
    { name: 'echo', input: { text: 'word '.repeat(200) + at }, nativeCallId: `n${at}` },
    { name: 'none', input: { at } },
  ]
  return kinds[at % kinds.length]
}

export const manyAtOnce = {
  name: 'many at once',
  isOrdered: false,
  options: (world) => ({ tools: tools(world), permission: { allow: ['note'] } }),
  async run(world) {
    const { clock, crib, note, step, watch } = world
    const surfaces = [
      await crib.surface({ session: 's1', actor: 'agent:planner' }),
      await crib.surface({ scope: 'turn' }),
    ]
    note(
      'surfaces',
      surfaces.map(({ id }) => id),
    )
    for (const count of [2, 16, 150]) {
      step(`${count} at once`)
      const calls = Array.from({ length: count }, (_, at) => crib.call(surfaces[at % 2], callAt(at)))
      await Promise.all(calls.map((call, at) => watch(call, { label: at, isOneOfSeveral: true })))
    }
    step('in several turns')
    const calls = []
    for (let turn = 0; turn < 12; turn += 1) {
      for (let at = 0; at < 5; at += 1) {
        const call = crib.call(surfaces[at % 2], callAt(at + turn))
        calls.push(watch(call, { label: calls.length, isOneOfSeveral: true }))
      }
      await (turn % 3 === 0 ? null : new Promise((resolve) => setTimeout(resolve, turn % 4)))
    }
    await Promise.all(calls)
    clock.pass(1)
    await crib.flush()
  },
}
