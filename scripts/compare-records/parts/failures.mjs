import { anyObject, createGate, echo, number, objectOf, quiet, text } from './tools.mjs'

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Ends with the reason of its signal. */
const untilStopped = (signal) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

const errors = {
  'an error': () => new Error('It broke.'),
  'an error with a code': () => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
  'a text': () => 'only a text',
  nothing: () => undefined,
  'an object': () => ({ status: 503, message: 'busy' }),
}
const classes = [
  'dependency_unavailable',
  'rate_limited',
  'execution_failed',
  'permission_denied',
  'not_found',
]

function failingTools({ lib }) {
  const { defineTool, toolFailure, toolOutput } = lib
  return [
    echo(lib),
    defineTool({
      name: 'throws',
      description: 'Throws.',
      ...quiet,
      input: anyObject,
      execute: ({ what, as }) => {
        if (as) throw toolFailure(as, `It is ${as}.`, { retryAfter: 30 })
        throw errors[what]()
      },
    }),
    defineTool({
      name: 'says_no',
      description: 'Reports a failure with an output.',
      ...quiet,
      execute: () => toolOutput({ failure: 'No such row.', structured: { rows: 0 } }),
    }),
    defineTool({
      name: 'wrong_output',
      description: 'Does not keep to its schema.',
      ...quiet,
      output: objectOf({ sum: number }),
      execute: () => ({ sum: 'three' }),
    }),
    defineTool({
      name: 'unwritable',
      description: 'Returns what JSON cannot hold.',
      ...quiet,
      execute: () => ({ big: 10n, self: () => 1 }),
    }),
    defineTool({
      name: 'strict',
      description: 'Takes little.',
      ...quiet,
      input: objectOf({ count: { type: 'integer', minimum: 1 }, name: text }),
      validate: ({ name }) => (name === 'root' ? 'root is not allowed' : true),
      preflight: async ({ name }) =>
        name === 'gone' ? { errorClass: 'sandbox_violation', message: 'gone is outside' } : true,
      execute: () => 'fine',
    }),
    defineTool({
      name: 'unready',
      description: 'Is not set up.',
      ...quiet,
      requiresSetup: () => 'Set its key first.',
      execute: () => 'never',
    }),
    defineTool({
      name: 'exit',
      description: 'Runs a command.',
      ...quiet,
      input: objectOf({ command: text, code: number, stderr: text }),
      command: { field: 'command', shell: 'bash' },
      exitCode: 'exit_code',
      execute: ({ code, stderr }) => ({ exit_code: code, stdout: 'out', stderr }),
    }),
  ]
}

function slowTools({ lib, clock }, gates) {
  const { defineTool, toolFailure } = lib
  let tries = 0
  return [
    defineTool({
      name: 'flaky',
      description: 'Works at the third time.',
      ...quiet,
      input: objectOf({ as: text }),
      retries: { max: 3, baseMs: 2, maxMs: 5 },
      execute: ({ as }, { attempt, progress }) => {
        clock.pass(10)
        progress(`attempt ${attempt}`)
        if (attempt < 3) throw toolFailure(as, `Not at ${attempt}.`, { nothingHappened: true })
        tries += 1
        return { attempt, tries }
      },
    }),
    defineTool({
      name: 'slow',
      description: 'Takes too long, and stops.',
      ...quiet,
      timeoutMs: 25,
      input: anyObject,
      execute: (_input, { signal }) => untilStopped(signal),
    }),
    defineTool({
      name: 'stubborn',
      description: 'Does not stop.',
      ...quiet,
      timeoutMs: 25,
      execute: async () => {
        await wait(250)
        gates.late.open()
        return 'too late'
      },
    }),
    defineTool({
      name: 'stoppable',
      description: 'Runs until it is stopped.',
      ...quiet,
      interruptBehavior: 'cancel',
      supports: ['cancel'],
      input: anyObject,
      execute: async ({ as }, { signal, progress }) => {
        progress('started')
        gates.started.open()
        if (as === 'success') {
          await untilStopped(signal).catch(() => {})
          return 'done all the same'
        }
        return untilStopped(signal)
      },
    }),
    defineTool({
      name: 'writes',
      description: 'Writes until it is stopped.',
      isReadOnly: false,
      isOpenWorld: false,
      execute: async (_input, { signal }) => {
        gates.started.open()
        await untilStopped(signal).catch(() => {
          throw new Error('It could not be undone.')
        })
      },
    }),
  ]
}

async function refuse({ call, step }, surface) {
  step('unknown tools')
  await call(surface, { name: 'nothing' }, { label: 'no such name' })
  await call(surface, { name: 'ecko', input: { text: 'a' } }, { label: 'nearly a name' })
  await call(surface, { name: '' }, { label: 'no name' })
  step('inputs that do not fit')
  const inputs = [
    {},
    { count: 'one', name: 'a' },
    { count: 0, name: 'a' },
    { count: 1, name: 'a', more: 1 },
    '{"count": 1,',
    7,
    null,
  ]
  for (const [at, input] of inputs.entries()) await call(surface, { name: 'strict', input }, { label: at })
  for (const name of ['root', 'gone', 'ok'])
    await call(surface, { name: 'strict', input: { count: 1, name } }, { label: name })
  await call(surface, { name: 'unready' }, { label: 'not set up' })
}

async function fail({ call, step }, surface) {
  step('errors')
  for (const what of Object.keys(errors))
    await call(surface, { name: 'throws', input: { what } }, { label: what })
  for (const as of classes) await call(surface, { name: 'throws', input: { as } }, { label: as })
  for (const name of ['says_no', 'wrong_output', 'unwritable']) await call(surface, { name }, { label: name })
  step('exit codes')
  for (const [command, code, stderr] of [
    ['grep a b.txt', 1, ''],
    ['grep a b.txt', 2, 'no such file'],
    ['diff a b', 1, ''],
    ['ls', 0, ''],
    ['ls /nowhere', 2, 'ls: cannot access'],
  ])
    await call(surface, { name: 'exit', input: { command, code, stderr } }, { label: `${command}: ${code}` })
  step('retries')
  for (const as of ['dependency_unavailable', 'rate_limited'])
    await call(surface, { name: 'flaky', input: { as } }, { label: as })
  await call(surface, { name: 'flaky', input: { as: 'rate_limited' }, retries: 1 }, { label: 'too few' })
  await call(
    surface,
    { name: 'throws', input: { what: 'an error' }, retries: { max: 1, baseMs: 1 } },
    { label: 'plain' },
  )
}

async function stop({ call, crib, step, watch }, surface, gates) {
  step('time limits')
  await call(surface, { name: 'slow', input: {} }, { label: 'of the tool' })
  await call(surface, { name: 'stoppable', input: {}, timeoutMs: 25 }, { label: 'of the call' })
  await call(surface, { name: 'stubborn' }, { label: 'of a tool that does not stop' })
  await gates.late.promise
  await wait(20)
  step('cancellations')
  const canceled = async (label, given, stopIt) => {
    gates.started = createGate()
    const controller = new AbortController()
    const call = crib.call(surface, { ...given, signal: controller.signal })
    const watched = watch(call, { label })
    await gates.started.promise
    stopIt(call, controller)
    await watched
  }
  const stoppable = { name: 'stoppable', input: {} }
  await canceled('by the call', stoppable, (call) => call.cancel())
  await canceled('by an interrupt', stoppable, (call) => call.interrupt())
  await canceled('by the signal', stoppable, (_call, controller) => controller.abort())
  await canceled('a success', { name: 'stoppable', input: { as: 'success' } }, (call) => call.cancel())
  await canceled('not undone', { name: 'writes' }, (call) => call.cancel())
  const aborted = { ...stoppable, signal: AbortSignal.abort() }
  await call(surface, aborted, { label: 'before it began' })
  const early = crib.call(surface, { name: 'echo', input: { text: 'a' } })
  early.cancel()
  await watch(early, { label: 'at once' })
}

export const failures = {
  name: 'failures',
  options(world) {
    const gates = { late: createGate(), started: createGate() }
    world.gates = gates
    return { tools: [...failingTools(world), ...slowTools(world, gates)], permission: { allow: ['writes'] } }
  },
  async run(world) {
    const surface = await world.crib.surface({ session: 's1', actor: 'agent:planner' })
    await refuse(world, surface)
    await fail(world, surface)
    await stop(world, surface, world.gates)
  },
}
