import { describe, expect, it } from 'vitest'
import { defineTool } from 'toolcrib'
import { openCrib } from '../scenarios/open-crib.js'

const give = defineTool({
  name: 'give',
  description: 'Gives.',
  execute: () => 'x'.repeat(100),
})

describe('every ref that we write resolves to something', () => {
  it.each(['interface_ref', 'execution_profile_ref', 'permission_profile_ref'] as const)(
    'a declaration’s %s',
    async (field) => {
      const crib = await openCrib({ tools: [give] })
      const ref = crib.declaration('give')![field]!
      expect(await crib.resolveRef(ref)).toMatchObject({ schema_version: '0.2.0' })
    },
  )

  it('an invocation’s approval_request_ref', async () => {
    const crib = await openCrib({ tools: [give], approver: () => ({ approved: true }) })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'give' })
    await call
    const { approval_request_ref: ref } = (await crib.invocation(call.invocationId))!
    expect(await crib.resolveRef(ref!)).toBeDefined()
  })

  it('the decision, persistence and hook ids on a call', async () => {
    const crib = await openCrib({
      tools: [give],
      approver: () => ({ approved: true }),
      results: { maxInlineChars: 10 },
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'give' })
    const result = await call
    const { invocation } = (await crib.story(call.invocationId))!
    for (const ref of [...invocation.permission_decision_refs!, ...result.persistence_refs!]) {
      expect(await crib.resolveRef(ref), ref).toBeDefined()
    }
  })

  it('those of a call that another tenant made', async () => {
    const crib = await openCrib({ tools: [give] })
    const call = crib.call(await crib.surface({ scope: 'turn', tenant: 'other' }), { name: 'give' })
    await call
    const found = []
    for await (const invocation of crib.invocations({ tenant: 'other' })) found.push(invocation)
    expect(found).toHaveLength(1)
    expect(await crib.resolveRef(found[0]!.model_input_ref!)).toBeUndefined()
    expect(await crib.resolveRef(found[0]!.model_input_ref!, { tenant: 'other' })).toBeDefined()
  })
})
