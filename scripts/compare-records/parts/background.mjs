import { add, createGate, echo, note, objectOf, quiet, text } from './tools.mjs'

function tools({ lib, clock }, gates) {
  const { defineTool } = lib
  return [
    echo(lib),
    note(lib),
    add(lib, clock),
    defineTool({
      name: 'crawl',
      description: 'Takes its time.',
      ...quiet,
      interruptBehavior: 'cancel',
      execute: async (_input, { progress, signal }) => {
        progress('begun')
        gates.begun.open()
        const stopped = new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        )
        await Promise.race([gates.goOn.promise, stopped])
        clock.pass(2500)
        progress('nearly done')
        return { pages: 3 }
      },
    }),
    defineTool({
      name: 'script',
      description: 'Calls other tools.',
      ...quiet,
      input: objectOf({ calls: { type: 'array' } }),
      execute: async ({ calls }, context) => {
        const results = []
        for (const call of calls) results.push(await context.callTool(call))
        return results.map(({ status, structured_content: data, error }) => ({ status, data, error }))
      },
    }),
    defineTool({
      name: 'looks',
      description: 'Sees what its caller may see.',
      ...quiet,
      execute: (_input, { caller }) => [
        caller.explain({ name: 'note', input: { text: 'a' } }),
        caller.explain({ name: 'none' }) ?? null,
      ],
    }),
    defineTool({
      name: 'asks_person',
      description: 'Asks the person.',
      ...quiet,
      input: objectOf({ message: text }),
      execute: ({ message }, context) =>
        context.requestInput({ message, schema: { type: 'object', properties: { name: text } } }),
    }),
  ]
}

async function runTasks(world, surface, gates) {
  const { call, crib, note: noteValue, step } = world
  step('a task')
  const { invocation_id: id } = await call(surface, { name: 'crawl', runInBackground: true })
  await gates.begun.promise
  noteValue('status', await crib.task(id).status())
  for await (const task of crib.tasks()) noteValue('open task', { ...task, owner: typeof task.owner })
  gates.goOn.open()
  noteValue('result of the task', await crib.task(id).result())
  step('a canceled task')
  Object.assign(gates, { begun: createGate(), goOn: createGate() })
  const { invocation_id: other } = await call(surface, { name: 'crawl', runInBackground: true })
  await gates.begun.promise
  noteValue('cancel', await crib.task(other).cancel())
  noteValue('result of the canceled task', await crib.task(other).result())
  noteValue('an unknown task', (await crib.task('inv_none').status()) ?? 'none')
}

async function callInside(world, surface) {
  const { call, crib, step } = world
  step('calls of an executor')
  const calls = [
    { name: 'math.add', input: { a: 1, b: 2 }, nativeCallId: 'inner' },
    { name: 'note', input: { text: 'inside' } },
    { name: 'math.add', input: { a: 'x' } },
    { name: 'none' },
    { name: 'script', input: { calls: [{ name: 'echo', input: { text: 'deeper' } }] } },
    { name: 'asks_person', input: { message: 'inside?' } },
  ]
  await call(surface, { name: 'script', input: { calls } })
  for await (const { invocation_id: id, runtime_refs: refs } of crib.invocations())
    if (refs?.length > 0) world.keep(id)
  step('questions')
  for (const message of ['accept', 'decline', 'cancel', 'fail'])
    await call(surface, { name: 'asks_person', input: { message } }, { label: message })
  step('what a caller may see')
  await call(surface, { name: 'looks' })
}

export const background = {
  name: 'background',
  options(world) {
    const gates = { begun: createGate(), goOn: createGate() }
    world.gates = gates
    return {
      tools: tools(world, gates),
      permission: { ask: ['note'] },
      responder: async ({ message, ...more }) => {
        world.clock.pass(700)
        if (message === 'fail') throw new Error('Nobody is there.')
        return message === 'accept'
          ? { action: 'accept', content: { name: 'Ana', knows: Object.keys(more) } }
          : { action: message === 'decline' ? 'decline' : 'cancel' }
      },
    }
  },
  async run(world) {
    const surface = await world.crib.surface({ session: 's1', actor: 'agent:planner' })
    await runTasks(world, surface, world.gates)
    await callInside(world, surface)
  },
}
