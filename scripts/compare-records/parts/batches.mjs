import { add, echo, note, number, objectOf, quiet, text } from './tools.mjs'
import { withoutCursor } from '../open-world.mjs'

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

function tools({ lib, clock, folder }) {
  const { defineTool, toolOutput } = lib
  return [
    echo(lib),
    note(lib),
    add(lib, clock),
    defineTool({
      name: 'write',
      description: 'Writes a file.',
      isReadOnly: false,
      isOpenWorld: false,
      input: objectOf({ path: text }),
      paths: { path: 'write' },
      locks: 'paths',
      execute: async ({ path }) => {
        await wait(8)
        return path.slice(folder.length)
      },
    }),
    defineTool({
      name: 'locked',
      description: 'Holds a lock.',
      ...quiet,
      input: objectOf({ ms: number }),
      locks: [{ key: 'db:orders', access: 'write' }],
      execute: async ({ ms }) => {
        await wait(ms)
        return `${ms} ms`
      },
    }),
    defineTool({
      name: 'endless',
      description: 'Runs until it is stopped.',
      ...quiet,
      execute: (_input, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    }),
    defineTool({
      name: 'breaks',
      description: 'Fails.',
      ...quiet,
      execute: async () => {
        await wait(5)
        throw new Error('It broke.')
      },
    }),
    defineTool({
      name: 'moves',
      description: 'Changes the context.',
      ...quiet,
      contextModifierPolicy: 'defer_until_batch_complete',
      execute: () => toolOutput({ contextModifier: { cwd: '/work' }, structured: { moved: true } }),
    }),
  ]
}

async function runBatch(world, surface, { name, calls, policy, isUnordered }) {
  const { crib, note: noteValue, step } = world
  step(name)
  const batch = crib.batch(surface, calls, policy)
  const items = []
  for await (const item of batch) items.push(item)
  for (const { index, event } of items.filter(({ kind }) => kind === 'event'))
    if (!isUnordered) noteValue(`event as it happened, call ${index}`, withoutCursor(event))
  for (const result of await batch) noteValue('result', result)
  noteValue('policy', batch.policy)
  const { modifiers, merged } = await batch.context()
  noteValue('context', { modifiers, merged })
  for (const { invocationId } of batch.calls) world.keep(invocationId)
}

const echoOf = (text, more) => ({ name: 'echo', input: { text }, ...more })
const writeOf = (path) => ({ name: 'write', input: { path } })
const lockedFor = (ms) => ({ name: 'locked', input: { ms } })

const batchesToRun = [
  { name: 'one call', calls: [echoOf('a')] },
  { name: 'reads', calls: ['a', 'b', 'c'].map((text) => echoOf(text)), isUnordered: true },
  {
    name: 'one after the other',
    calls: [echoOf('a'), { name: 'note', input: { text: 'b' } }, echoOf('c')],
    policy: { ordering_policy: 'serial' },
  },
  {
    name: 'dependencies',
    calls: [
      { name: 'math.add', input: { a: 1, b: 2 }, id: 'sum' },
      echoOf('after it', { dependsOn: ['sum'], id: 'second', nativeCallId: 'n2' }),
      echoOf('at the end', { dependsOn: ['second', 0] }),
    ],
  },
  {
    name: 'a failure that cancels',
    calls: [{ name: 'breaks', id: 'b' }, echoOf('never', { dependsOn: ['b'] })],
    policy: { sibling_failure_policy: 'cancel_dependent' },
  },
  {
    name: 'a failure that is ignored',
    calls: [{ name: 'breaks', id: 'b' }, echoOf('all the same', { dependsOn: ['b'] })],
  },
  { name: 'locks', calls: [lockedFor(6), lockedFor(1), lockedFor(2)], isUnordered: true },
  { name: 'paths', calls: [writeOf('a.txt'), writeOf('a.txt'), writeOf('b.txt')], isUnordered: true },
  { name: 'context', calls: [{ name: 'moves' }, echoOf('a')], policy: { ordering_policy: 'serial' } },
  {
    name: 'unknown tools',
    calls: [{ name: 'none' }, echoOf('a'), { name: 'echo', input: {} }],
    policy: { ordering_policy: 'serial' },
  },
  {
    name: 'a time limit',
    calls: [{ name: 'endless' }, lockedFor(1)],
    policy: { timeout_ms: 40, ordering_policy: 'serial' },
  },
]

async function runOpenBatch(world, surface, ends) {
  const { crib, note: noteValue, step } = world
  step(`streamed calls, ${ends}`)
  const batch = crib.openBatch(surface)
  batch.add(echoOf('read at once'))
  batch.add({ name: 'note', input: { text: 'waits' } })
  const draft = batch.begin({ name: 'echo', nativeCallId: 'call_3' })
  draft.append('{"text":')
  draft.append('"streamed"}')
  draft.complete()
  await wait(20)
  for (const result of await batch[ends]()) noteValue('result', result)
  for (const { invocationId } of batch.calls) world.keep(invocationId)
}

export const batches = {
  name: 'batches',
  isOrdered: false,
  options: (world) => ({ tools: tools(world), permission: { allow: ['note', 'write'] } }),
  async run(world) {
    const surface = await world.crib.surface({ session: 's1', actor: 'agent:planner' })
    for (const each of batchesToRun) await runBatch(world, surface, each)
    await runOpenBatch(world, surface, 'finish')
    await runOpenBatch(world, surface, 'fallback')
  },
}
