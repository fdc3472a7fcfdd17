import { anyObject, quiet } from './tools.mjs'

const KEY = 'AKIA7QXGRZ4TX5WVN2LK'

function tools({ lib, clock }) {
  const named = (name, more = {}) =>
    lib.defineTool({
      name,
      description: `The tool ${name}.`,
      ...quiet,
      input: anyObject,
      execute: (input) => {
        clock.pass(3)
        if (input.fail) throw new Error('It failed.')
        return { got: input, secret: input.key }
      },
      ...more,
    })
  return ['free', ...Object.keys(answers)].map((name) =>
    named(name, name === 'asks' || name === 'answered' ? { isReadOnly: false } : {}),
  )
}

/** By the tool that each hook is about: the event, and what the hook answers. */
const answers = {
  rewritten: ['pre_tool_use', () => ({ updatedInput: { text: 'rewritten' }, message: 'Shorter.' })],
  denied: ['pre_tool_use', () => ({ permission: { behavior: 'deny', message: 'Not at weekends.' } })],
  asks: ['pre_tool_use', () => ({ permission: { behavior: 'ask', message: 'Somebody should look.' } })],
  stopped: ['pre_tool_use', () => ({ stop: { reason: 'Enough.' } })],
  told: ['pre_tool_use', () => ({ additionalContext: ['It is late.', 'Be brief.'], progress: 'looking' })],
  broken: [
    'pre_tool_use',
    () => {
      throw new Error('The hook broke.')
    },
  ],
  slow_hook: ['pre_tool_use', () => new Promise(() => {}), { timeoutMs: 20 }],
  wrong: ['pre_tool_use', () => ({ updatedInput: 'no object' })],
  hides: [
    'pre_tool_use',
    (call) => {
      call.hide('quiet words')
      call.report({ looked_at: 3, with: KEY })
      return { additionalContext: `quiet words and ${KEY}` }
    },
  ],
  after: ['post_tool_use', () => ({ additionalContext: 'That was fine.' })],
  replaced: ['post_tool_use', () => ({ updatedOutput: { got: 'another' } })],
  broken_after: [
    'post_tool_use',
    () => {
      throw new Error('The hook broke after it.')
    },
  ],
  strict_after: [
    'post_tool_use',
    () => {
      throw new Error('The hook broke after it.')
    },
    { onFailure: 'deny' },
  ],
  after_failure: [
    'post_tool_use_failure',
    ({ error }) => ({ additionalContext: `It was ${error.error_class}.` }),
  ],
  answered: ['permission_request', () => ({ permission: { behavior: 'allow', message: 'Known.' } })],
  decided: ['permission_decision', ({ decision }) => ({ message: `It was ${decision.behavior}.` })],
  partly_kept: [
    'result_persistence',
    () => ({ persistence: { strategy: 'redact', reason: 'Private.', fields: ['got.private'] } }),
  ],
  not_kept: [
    'result_persistence',
    () => ({ persistence: { strategy: 'never_persist', reason: 'Private.' } }),
  ],
  dropped: [
    'result_persistence',
    () => ({ persistence: { strategy: 'drop_with_reason', reason: 'Private.' } }),
  ],
}

function hooksOf({ lib, clock }) {
  const hooks = Object.entries(answers).map(([tool, [event, run, more]]) =>
    lib.defineHook({
      id: `on-${tool}`,
      event,
      tools: [tool],
      ...more,
      run: (call) => {
        clock.pass(2)
        return run(call)
      },
    }),
  )
  const second = lib.defineHook({
    id: 'second',
    event: 'pre_tool_use',
    tools: ['rewritten', 'told'],
    order: 5,
    run: ({ input }) => ({ updatedInput: { ...input, second: true } }),
  })
  const conditional = lib.defineHook({
    id: 'conditional',
    event: 'pre_tool_use',
    when: { field: 'text', matches: 'only*' },
    run: () => ({ additionalContext: 'The text begins with only.' }),
  })
  return [...hooks, second, conditional]
}

export const hooks = {
  name: 'hooks',
  options: (world) => ({
    tools: tools(world),
    hooks: hooksOf(world),
    decider: ({ toolId, input, facts }) => {
      if (input.deny) return { behavior: 'deny', reason: { type: 'policy', message: 'Denied by the host.' } }
      if (input.update) return { behavior: 'allow', updated_input: { text: 'by the decider' } }
      if (input.blocks)
        return {
          behavior: 'allow',
          content_blocks: [{ type: 'text', text: 'Remember the rules.' }],
          policy_refs: ['policy:1'],
        }
      return facts.is_read_only ? { behavior: 'allow' } : { behavior: 'ask', message: `${toolId} writes.` }
    },
    approver: ({ title, message }) => ({ approved: true, by: 'ann', feedback: `${title}: ${message}` }),
  }),
  async run(world) {
    const { call, crib, step } = world
    const surface = await crib.surface({ session: 's1', actor: 'agent:planner' })
    for (const name of ['free', ...Object.keys(answers)]) {
      step(name)
      await call(surface, { name, input: { text: 'a text', private: 'a', key: KEY } }, { label: 'works' })
      await call(surface, { name, input: { text: 'only a text', fail: true } }, { label: 'fails' })
    }
    step('deciders')
    for (const input of [{ deny: true }, { update: true }, { blocks: true }])
      for (const name of ['free', 'after', 'told'])
        await call(surface, { name, input }, { label: `${name} ${JSON.stringify(input)}` })
  },
}
