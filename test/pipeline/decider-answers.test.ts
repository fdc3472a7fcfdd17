import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { defineTool, type ApprovalAnswer, type Verdict } from 'toolcrib'
import { schemas, toEmitSchema } from '../../src/contract/index.js'
import { onBothStores, openCrib } from '../scenarios/open-crib.js'

const isDecision = new Ajv2020({ allowUnionTypes: true }).compile(
  toEmitSchema(schemas.tool_permission_decision),
)

onBothStores('a verdict with a readable behavior and unreadable fields', (newStore) => {
  it.each<[string, object]>([
    ['a reason that is a text', { reason: 'because' }],
    ['a reason of an unknown type', { reason: { type: 'mood', message: 'because' } }],
    ['an unknown source', { source: 'my own rules' }],
    ['rule refs that are no list', { rule_refs: 'rule:1' }],
    ['a blocked path that is no text', { blocked_path: 7 }],
  ])('%s makes no invalid record', async (_what, rest) => {
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 'go', description: 'Goes.', execute: () => 1 })],
      decider: () => ({ behavior: 'deny', ...rest }) as Verdict,
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'go' })
    expect((await call).status).toBe('denied')
    for (const decision of (await crib.story(call.invocationId))!.decisions) {
      expect(isDecision(decision), JSON.stringify(isDecision.errors)).toBe(true)
    }
  })
})

onBothStores('a verdict with an unknown or unreadable key', (newStore) => {
  it.each<[string, object, string]>([
    ['another spelling', { updatedInput: { a: 2 } }, 'did you mean "updated_input"?'],
    ['another spelling of blocks', { contentBlocks: [] }, 'did you mean "content_blocks"?'],
    ['an unknown key', { obligations: ['log'] }, 'A verdict has no key "obligations"'],
    ['a ref in place of the input', { updated_input_ref: 'x' }, 'A verdict has no key "updated_input_ref"'],
    ['a key of the record', { invocation_id: 'inv_2' }, 'A verdict has no key "invocation_id"'],
    ['blocks that are texts', { content_blocks: ['careful'] }, '"content_blocks" cannot be read'],
    ['a block of no known type', { content_blocks: [{ type: 'mood' }] }, '"content_blocks" cannot be read'],
    ['an expiry that is no time', { expires_at: 'soon' }, '"expires_at" cannot be read'],
  ])('%s is refused, and the call is denied', async (_what, rest, sentence) => {
    let ran = 0
    for (const permission of [undefined, { allow: ['go'] }]) {
      for (const behavior of ['allow', 'ask'] as const) {
        const crib = await openCrib({
          store: newStore(),
          tools: [defineTool({ name: 'go', description: 'Goes.', execute: () => ++ran })],
          decider: () => ({ behavior, ...rest }) as Verdict,
          approver: () => ({ approved: true }),
          ...(permission && { permission }),
        })
        const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'go' })
        expect((await call).status).toBe('denied')
        const decision = (await crib.story(call.invocationId))!.decisions.at(-1)!
        expect(decision.behavior).toBe('deny')
        expect(decision.reason!.message).toContain(sentence)
        expect(isDecision(decision), JSON.stringify(isDecision.errors)).toBe(true)
      }
    }
    expect(ran).toBe(0)
  })

  it('a verdict that throws when it is read asynchronously counts as a deny', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 'go', description: 'Goes.', execute: () => 1 })],
      decider: async () =>
        ({
          get behavior(): never {
            throw new Error('no')
          },
        }) as Verdict,
    })
    expect((await crib.call(await crib.surface({ scope: 'turn' }), { name: 'go' })).status).toBe('denied')
  })
})

it.each<[object, object]>([
  [{ message: 'Closed today.' }, { type: 'other', message: 'Closed today.' }],
  [
    { message: 'x', reason: { type: 'policy', message: 'Closed.' } },
    { type: 'policy', message: 'Closed.' },
  ],
])('the message of a verdict is its reason: %j', async (words, reason) => {
  const crib = await openCrib({
    tools: [defineTool({ name: 'go', description: 'Goes.', execute: () => 1 })],
    decider: () => ({ behavior: 'deny', ...words }),
  })
  const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'go' })
  await call
  expect((await crib.story(call.invocationId))!.decisions[0]!.reason).toEqual(reason)
})

onBothStores('content blocks of a decider', (newStore) => {
  const blocks = [{ type: 'text', text: 'Use the test account.' }] as const

  it.each(['allow', 'deny'] as const)('reach the model if the decision is %s', async (behavior) => {
    for (const permission of [undefined, { allow: ['go'] }]) {
      const crib = await openCrib({
        store: newStore(),
        tools: [defineTool({ name: 'go', description: 'Goes.', execute: () => 'done' })],
        decider: () => ({ behavior, content_blocks: [...blocks], accept_feedback: 'Well done.' }),
        ...(permission && { permission }),
      })
      const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'go' })
      const result = await call
      expect(result.model_facing_content!.at(-1)).toEqual(blocks[0])
      const { decisions, result: kept } = (await crib.story(call.invocationId))!
      expect(decisions.at(-1)).toMatchObject({ content_blocks: blocks, accept_feedback: 'Well done.' })
      expect(isDecision(decisions.at(-1)), JSON.stringify(isDecision.errors)).toBe(true)
      expect(kept!.model_facing_content).toEqual(result.model_facing_content)
    }
  })
})

it('an approver’s answer with an unknown key does not approve', async () => {
  let ran = 0
  const crib = await openCrib({
    tools: [defineTool({ name: 'go', description: 'Goes.', execute: () => ++ran })],
    decider: () => ({ behavior: 'ask' }),
    approver: () => ({ approved: true, updated_input: { safe: true } }) as ApprovalAnswer,
  })
  const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'go' })
  expect((await call).error?.message).toContain('did you mean "updatedInput"?')
  expect(ran).toBe(0)
})
