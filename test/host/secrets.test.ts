import { describe, expect, it } from 'vitest'
import {
  createCrib,
  defineHook,
  defineTool,
  memoryStore,
  toolFailure,
  toolOutput,
  type CribOptions,
  type ExecuteContext,
} from 'toolcrib'

const SECRET = 'canary-5ecre7-value'
const OTHER = 'canary-0ther-value'

type Execute = (input: { password: string }, context: ExecuteContext) => unknown

const tool = (execute: Execute = () => 'done', more: object = {}) =>
  defineTool({
    name: 'login',
    description: 'Takes a password.',
    sensitiveFields: ['password'],
    ...more,
    execute: execute as never,
  })
const fail =
  (error: unknown): Execute =>
  () => {
    throw error
  }
const hook = (event: 'pre_tool_use' | 'post_tool_use', answer: () => object) =>
  defineHook({ id: 'hook', event, run: answer as never })

/** Every way in which code around a call could reveal the value of a sensitive field. */
const ways: Record<string, CribOptions & { input?: unknown }> = {
  'an output': { tools: [tool(({ password }) => ({ password, text: `is ${password}`, [password]: 1 }))] },
  'a rich output': {
    tools: [
      tool(({ password }) =>
        toolOutput({
          structured: 1,
          summary: password,
          resourceRefs: [{ uri: password }],
          partialFailure: password,
          contextModifier: { password },
        }),
      ),
    ],
  },
  'an error’s message': { tools: [tool(fail(new Error(SECRET)))] },
  'an error’s code': { tools: [tool(fail(Object.assign(new Error('failed'), { code: SECRET })))] },
  'an error’s name': { tools: [tool(fail(Object.assign(new Error('failed'), { name: SECRET })))] },
  'a failure’s code': { tools: [tool(fail(toolFailure('rate_limited', SECRET, { code: SECRET })))] },
  progress: {
    tools: [
      tool((_, { progress }) =>
        progress({
          message: SECRET,
          current_step: SECRET,
          task_id: SECRET,
          artifact_refs: [{ uri: SECRET }],
        }),
      ),
    ],
  },
  'a question': {
    responder: async () => ({ action: 'decline' }),
    tools: [
      tool(async (_, { requestInput }) => requestInput({ message: SECRET, schema: { const: SECRET } })),
    ],
  },
  'a check': { tools: [tool(undefined, { validate: () => SECRET })] },
  'a check that throws': {
    tools: [
      tool(undefined, {
        validate: () => {
          throw new Error(SECRET)
        },
      }),
    ],
  },
  'the input’s own bad text': { input: `{"password":"${SECRET}",,}`, tools: [tool()] },
  'the input’s own cut off text': { input: `{"password":"${SECRET}"`, tools: [tool()] },
  'the input in a list': { input: [{ password: SECRET }], tools: [tool()] },
  'a schema’s complaint': {
    input: { password: SECRET },
    tools: [
      tool(undefined, {
        input: { jsonSchema: { type: 'object', properties: { password: { enum: ['a'] } } } },
      }),
    ],
  },
  'a verdict': {
    decider: () => ({
      behavior: 'deny',
      reason: { type: 'rule', message: SECRET },
      blocked_path: SECRET,
      rule_refs: [SECRET],
      suggested_updates: [{ rule: SECRET }],
    }),
    tools: [tool()],
  },
  'a decider that throws': {
    decider: () => {
      throw new Error(SECRET)
    },
    tools: [tool()],
  },
  'an approver’s no': {
    decider: () => ({ behavior: 'ask', reason: { type: 'rule', message: SECRET } }),
    approver: () => ({ approved: false, feedback: SECRET, by: SECRET }),
    tools: [tool()],
  },
  'an approver’s yes': {
    decider: () => ({ behavior: 'ask' }),
    approver: () => ({ approved: true, feedback: SECRET, by: SECRET }),
    tools: [tool()],
  },
  'an approver’s new secret': {
    decider: () => ({ behavior: 'ask' }),
    approver: () => ({ approved: true, updatedInput: { password: OTHER } }),
    tools: [tool(({ password }) => `is ${password}`)],
  },
  'a hook’s new secret': {
    hooks: [hook('pre_tool_use', () => ({ updatedInput: { password: OTHER } }))],
    tools: [tool(({ password }) => `is ${password}`)],
  },
  'a decider’s new secret': {
    decider: ({ input }) =>
      (input as { password: string }).password === OTHER
        ? { behavior: 'allow' }
        : { behavior: 'allow', updated_input: { password: OTHER } },
    tools: [tool(({ password }) => `is ${password}`)],
  },
  'a hook’s words': {
    hooks: [
      hook('pre_tool_use', () => ({ message: SECRET, progress: SECRET, additionalContext: SECRET })),
      hook('post_tool_use', () => ({ message: SECRET, additionalContext: [SECRET] })),
    ],
    tools: [tool(fail(new Error('failed')))],
  },
  'a later hook’s words': {
    hooks: [hook('post_tool_use', () => ({ message: SECRET, additionalContext: [SECRET] }))],
    tools: [tool()],
  },
  'a hook’s permission': {
    hooks: [hook('pre_tool_use', () => ({ permission: { behavior: 'deny', message: SECRET } }))],
    tools: [tool()],
  },
  'a hook’s stop': { hooks: [hook('pre_tool_use', () => ({ stop: { reason: SECRET } }))], tools: [tool()] },
  'a later hook’s stop': {
    hooks: [hook('post_tool_use', () => ({ stop: { reason: SECRET } }))],
    tools: [tool()],
  },
  'a hook that throws': {
    hooks: [
      hook('pre_tool_use', () => {
        throw new Error(SECRET)
      }),
    ],
    tools: [tool()],
  },
  'a hook’s output': {
    hooks: [hook('post_tool_use', () => ({ updatedOutput: { password: SECRET } }))],
    tools: [tool()],
  },
}

describe('a secret does not leak through', () => {
  it.each(Object.keys(ways))('%s', async (name) => {
    const { input = { password: SECRET }, ...options } = ways[name]!
    const crib = await createCrib({
      decider: () => ({ behavior: 'allow' }),
      ...options,
      store: memoryStore(),
    })
    const surface = await crib.surface({ scope: 'turn' })
    const call = crib.call(surface, { name: 'login', input })
    const streamed: unknown[] = []
    const streaming = (async () => {
      for await (const event of call) streamed.push(event)
    })()
    const said: unknown[] = [await call]
    await streaming
    for await (const event of crib.events()) said.push(event)
    said.push(await crib.story(call.invocationId), ...streamed)
    await crib.close()
    const leaks = said
      .map((each) => JSON.stringify(each))
      .filter((text) => text.includes(SECRET) || text.includes(OTHER))
    expect(leaks).toEqual([])
  })
})
