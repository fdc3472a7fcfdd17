import { number, objectOf, quiet } from './tools.mjs'

const steps = { input: objectOf({ count: number }) }

function tools({ lib, clock }) {
  const { defineTool, partialResult } = lib
  return [
    defineTool({
      name: 'reports',
      description: 'Reports its progress.',
      ...quiet,
      ...steps,
      execute: async ({ count }, { progress }) => {
        for (let at = 1; at <= count; at += 1) {
          clock.pass(50)
          progress({
            message: `step ${at}`,
            percent: (100 * at) / count,
            current_step: `s${at}`,
            total_steps: count,
          })
          if (at % 3 === 0) progress(`a text ${at}`)
          if (at % 4 === 0) progress({ bytes_read: at * 10, stdout_bytes: at, pid: 17, line_count: at })
          if (at % 5 === 0) await new Promise((resolve) => setImmediate(resolve))
        }
        return `${count} steps`
      },
    }),
    defineTool({
      name: 'yields',
      description: 'Gives its result in parts.',
      ...quiet,
      ...steps,
      async *execute({ count }) {
        for (let at = 1; at <= count; at += 1) {
          clock.pass(20)
          yield `part ${at}`
          yield partialResult({ part: at, of: count })
          yield { percent: at, message: 'AKIA7QXGRZ4TX5WVN2LK' }
        }
        return { parts: count }
      },
    }),
    defineTool({
      name: 'yields_and_fails',
      description: 'Gives a part and fails.',
      ...quiet,
      async *execute() {
        yield partialResult('the first half')
        throw new Error('The second half is missing.')
      },
    }),
    defineTool({
      name: 'runs_program',
      description: 'Says where it runs.',
      ...quiet,
      execute: (_input, context) => {
        context.recordEnvironment({
          mapping: { command_id: 'c-1', cwd_ref: 'path:/work' },
          sandbox: { profile: 'none', reason: 'There is no program.' },
        })
        context.recordViolation({ kind: 'write', message: 'It wrote to /etc.' })
        return 'done'
      },
    }),
  ]
}

export const streams = {
  name: 'streams',
  options: (world) => ({ tools: tools(world) }),
  async run(world) {
    const { call, crib, step } = world
    const surface = await crib.surface({ session: 's1' })
    for (const count of [0, 1, 7, 40]) {
      step(`${count} steps`)
      await call(surface, { name: 'reports', input: { count } }, { label: 'progress' })
      await call(surface, { name: 'yields', input: { count } }, { label: 'parts' })
    }
    step('others')
    for (const name of ['yields_and_fails', 'runs_program']) await call(surface, { name }, { label: name })
  },
}
