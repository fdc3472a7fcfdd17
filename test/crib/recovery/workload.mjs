import { appendFileSync, closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'

/**
 * Calls of every temper: reading and writing, quick and slow, good and bad. `reach` is told of each point that code
 * outside the runtime can see, so that a test can end the process there.
 */
export function createWorkload({ defineTool, defineHook, partialResult }, { effectsPath, reach = () => {} }) {
  const affect = (id) => {
    reach('before effect')
    const file = openSync(effectsPath, 'a')
    writeSync(file, `${id}\n`)
    fsyncSync(file)
    closeSync(file)
    reach('after effect')
  }
  const writing = (name, execute, more = {}) =>
    defineTool({ name, description: `Writes: ${name}.`, isDestructive: true, execute, ...more })
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  const tools = [
    defineTool({
      name: 'read',
      description: 'Reads.',
      isReadOnly: true,
      isOpenWorld: false,
      execute: (input) => {
        reach('execute')
        return { echo: input.n }
      },
    }),
    defineTool({
      name: 'read_slowly',
      description: 'Reads, slowly.',
      isReadOnly: true,
      isOpenWorld: false,
      async *execute() {
        yield 'one'
        reach('progress')
        await pause(2)
        yield partialResult({ part: 1 })
        reach('partial')
        await pause(2)
        return 'read'
      },
    }),
    writing('write', (_input, { invocationId }) => {
      reach('execute')
      affect(invocationId)
      return 'written'
    }),
    writing(
      'write_slowly',
      async (_input, { invocationId, progress }) => {
        progress('begin')
        affect(invocationId)
        await pause(3)
        reach('progress')
        progress('end')
        return 'written'
      },
      {
        validate: async () => {
          await pause(1)
          reach('validate')
        },
      },
    ),
    writing('write_and_fail', async (_input, { invocationId }) => {
      affect(invocationId)
      await pause(1)
      throw new Error('failed after the effect')
    }),
    writing(
      'write_again',
      async (_input, { invocationId, attempt }) => {
        affect(invocationId)
        reach('attempt')
        await pause(1)
        if (attempt < 3) throw new Error('failed after the effect, which may be repeated')
        return 'written'
      },
      { isIdempotent: true, retries: { max: 2, baseMs: 2 } },
    ),
    writing('write_asking', (_input, { invocationId }) => {
      affect(invocationId)
      return 'written'
    }),
    writing('flood', (_input, { invocationId, progress }) => {
      for (let n = 0; n < 2_300; n++) progress({ line_count: n })
      affect(invocationId)
      return 'flooded'
    }),
  ]
  const hooks = [
    defineHook({
      id: 'before',
      event: 'pre_tool_use',
      tools: ['local.write*'],
      run: async () => {
        await pause(1)
        reach('hook.pre')
      },
    }),
    defineHook({
      id: 'after',
      event: 'post_tool_use',
      tools: ['local.write_slowly', 'local.read'],
      run: async () => {
        reach('hook.post')
      },
    }),
  ]
  return {
    names: tools.map(({ name }) => name),
    options: {
      tools,
      hooks,
      decider: ({ name }) => {
        reach('decider')
        return { behavior: name === 'write_asking' ? 'ask' : 'allow' }
      },
      approver: async () => {
        await pause(2)
        reach('approver')
        return { approved: true }
      },
      cancelGraceMs: 20,
    },
  }
}

export const points = [
  'decider',
  'approver',
  'validate',
  'hook.pre',
  'hook.post',
  'execute',
  'attempt',
  'before effect',
  'after effect',
  'progress',
  'partial',
]

/** Every tool in turn, some at once and some after another; failures of the store are part of the game. */
export async function makeCalls(crib, names, { rounds, cancelEvery = 0 }) {
  const surface = await crib.surface({ scope: 'turn', session: 'crash' })
  const results = []
  for (let round = 0; round < rounds; round++) {
    const calls = names.map((name, index) => {
      const call = crib.call(surface, { name, input: { n: index }, nativeCallId: `${round}.${index}` })
      if (cancelEvery > 0 && (round * names.length + index) % cancelEvery === 0) call.cancel()
      return call
    })
    results.push(...(await Promise.all(calls)))
    results.push(await crib.call(surface, { name: names[round % names.length], input: { n: round } }))
  }
  return results
}

export function readEffects(path) {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean)
  } catch {
    appendFileSync(path, '')
    return []
  }
}
