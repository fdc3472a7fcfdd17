import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { defineTool, type Verdict } from 'toolcrib'
import { schemas, toEmitSchema } from '../../src/foundation/contract/index.js'
import { onBothStores, openCrib } from '../scenarios/open-crib.js'

const isDecision = new Ajv2020({ allowUnionTypes: true }).compile(
  toEmitSchema(schemas.tool_permission_decision),
)

onBothStores('a verdict whose behaviour can be read and whose rest cannot', (newStore) => {
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
