import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it, vi } from 'vitest'
import { defineHook, definePersonTool, memoryStore, type CribOptions } from 'toolcrib'
import { toEmitSchema, toolcribApprovalSchema } from '../../../src/contract/index.js'
import { onBothStores, openCrib } from '../../scenarios/open-crib.js'

const validate = new Ajv2020({ strict: false }).compile(toEmitSchema(toolcribApprovalSchema))

function expectRecord(approval: unknown): void {
  validate(JSON.parse(JSON.stringify(approval)))
  expect(validate.errors ?? []).toEqual([])
}

const refund = (more: object = {}) =>
  definePersonTool({
    name: 'refund_review',
    description: 'Asks a person whether an order is refunded.',
    input: { jsonSchema: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] } },
    output: {
      jsonSchema: {
        type: 'object',
        properties: {
          decision: { type: 'string', enum: ['refund', 'refuse'] },
          amount: { type: 'number', minimum: 0 },
          note: { type: 'string' },
        },
        required: ['decision'],
        additionalProperties: false,
      },
    },
    ...more,
  })

const allowing = (event: 'pre_tool_use' | 'permission_request') =>
  defineHook({ id: 'h', event, isAuthoritative: true, run: () => ({ permission: { behavior: 'allow' } }) })

const NAME = 'refund_review'

onBothStores('a tool that a person answers', (newStore) => {
  const open = (more: CribOptions = {}, tool = refund()) =>
    openCrib({ store: newStore(), tools: [tool], reviewers: ['ann', 'ben'], actor: 'agent:1', ...more })

  it('waits with its form, and the answer is the result', async () => {
    const crib = await open({}, refund({ queue: 'refunds', expiresMs: 60_000 }))
    const surface = await crib.surface({ scope: 'turn', session: 's1' })
    const call = crib.call(surface, { name: NAME, input: { order: 'A1' } })
    const approval = (await call.pending())!
    expectRecord(approval)
    expect(approval).toMatchObject({
      status: 'pending',
      queue: 'refunds',
      is_editable: false,
      form: { type: 'object', required: ['decision'] },
      facts: { is_read_only: true, is_destructive: false },
      decision: {
        behavior: 'ask',
        reason: { message: 'A person answers this tool; the answer is the result.' },
      },
    })
    expect(Date.parse(approval.expires_at) - Date.parse(approval.created_at)).toBe(60_000)
    const content = { decision: 'refund', amount: 12.5 }
    expect(
      await crib.approvals.answer(approval.approval_id, { approved: true, by: 'ann', content }),
    ).toMatchObject({ ok: true, goesOn: 'here' })
    const result = await call
    expect(result).toMatchObject({
      status: 'succeeded',
      structured_content: content,
      toolcrib: {
        native: { source: 'person', answered_by: 'ann', approval_id: approval.approval_id },
      },
    })
    await crib.flush()
    const used = (await crib.approvals.get(approval.approval_id))!
    expectRecord(used)
    expect(used).toMatchObject({ status: 'used', answer: { by: 'ann', content, user_modified: false } })
    expect((result.toolcrib!['native'] as Record<string, unknown>)['answered_at']).toBe(used.answer!.at)
    const { decisions } = (await crib.story(call.invocationId))!
    expect(decisions.map(({ behavior }) => behavior)).toEqual(['ask', 'allow'])
  })

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'has a form; answer it with content, such as: toolcrib approvals answer'],
    ['another type', 'yes', 'The content does not fit the form: must be an object.'],
    ['a missing field', {}, 'The content does not fit the form: must have the property "decision".'],
    [
      'a wrong choice and a wrong number',
      { decision: 'maybe', amount: -1 },
      'The content does not fit the form: "decision" must be one of "refund", "refuse"; "amount" must be at least 0.',
    ],
    ['a misspelled name', { decision: 'refund', amout: 1 }, 'did you mean "amount"?'],
    ['more than fits', { decision: 'refund', note: 'x'.repeat(1_000_001) }, 'more than 1000000 characters'],
  ])('refuses %s, and stays open', async (_what, content, sentence) => {
    const crib = await open()
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: NAME, input: { order: 'A1' } })
    const { approval_id: id } = (await call.pending())!
    const outcome = await crib.approvals.answer(id, { approved: true, by: 'ann', content })
    expect(outcome).toMatchObject({ ok: false, error: { error_code: 'toolcrib.answer_invalid' } })
    expect(outcome.ok ? '' : outcome.error.message).toContain(sentence)
    expect(await crib.approvals.get(id)).toMatchObject({ status: 'pending' })
    await crib.approvals.answer(id, { approved: true, by: 'ben', content: { decision: 'refuse' } })
    expect((await call).structured_content).toEqual({ decision: 'refuse' })
  })

  it('is rejected with the words of the person', async () => {
    const crib = await open()
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: NAME, input: { order: 'A1' } })
    const { approval_id: id } = (await call.pending())!
    await crib.approvals.answer(id, { approved: false, by: 'ann', feedback: 'Not my department.' })
    expect(await call).toMatchObject({
      status: 'rejected',
      error: {
        error_code: 'toolcrib.approval_rejected',
        message: expect.stringContaining('Not my department.'),
      },
    })
  })

  it.each<[string, CribOptions]>([
    ['an allow rule', { permission: { allow: ['refund_review', '*'] } }],
    ['a decider', { decider: () => ({ behavior: 'allow' }) }],
    ['the mode', { permission: { mode: 'bypass' } }],
    ['a hook before the call', { hooks: [allowing('pre_tool_use')] }],
    ['a hook on the request', { hooks: [allowing('permission_request')] }],
  ])('%s does not lift the question', async (_what, options) => {
    const crib = await open(options)
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: NAME, input: { order: 'A1' } })
    const approval = await call.pending()
    expect(approval).toMatchObject({ status: 'pending' })
    await crib.approvals.answer(approval!.approval_id, {
      approved: true,
      by: 'ann',
      content: { decision: 'refuse' },
    })
    expect((await call).structured_content).toEqual({ decision: 'refuse' })
  })

  it('is denied by a deny rule, and is not offered on a crib without reviewers', async () => {
    const crib = await open({ permission: { deny: ['refund_review'] } })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: NAME, input: { order: 'A1' } })
    expect(await call.pending()).toBeUndefined()
    expect((await call).is_error).toBe(true)
    const other = await open()
    const surface = await other.surface({ scope: 'turn', mode: 'non_interactive' })
    expect(surface.tools().map(({ toolId }) => toolId)).not.toContain(NAME)
    const nobody = await openCrib({ store: newStore(), tools: [refund()] })
    expect(
      await nobody.call(await nobody.surface({ scope: 'turn' }), { name: NAME, input: { order: 'A1' } }),
    ).toMatchObject({ error: { error_code: 'toolcrib.nobody_to_ask' } })
  })

  it('masks secrets of the answer in every record', async () => {
    const tool = definePersonTool({
      name: 'ask_login',
      description: 'Asks for a login.',
      output: {
        jsonSchema: {
          type: 'object',
          properties: { user: { type: 'string' }, password: { type: 'string' } },
          required: ['user'],
        },
      },
      sensitiveOutputFields: ['password'],
    })
    const crib = await open({}, tool as never)
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'ask_login' })
    const { approval_id: id } = (await call.pending())!
    const content = { user: 'my password is hunter2-secret', password: 'hunter2-secret' }
    await crib.approvals.answer(id, { approved: true, by: 'ann', content, feedback: 'It is hunter2-secret.' })
    const result = await call
    expect(result.structured_content).toEqual({ user: 'my password is [redacted]', password: '[redacted]' })
    await crib.flush()
    const record = JSON.stringify([await crib.approvals.get(id), await crib.story(call.invocationId), result])
    expect(record).not.toContain('hunter2')
  })
})

describe('a tool that a person answers', () => {
  it('takes answers only from the reviewers to whom the tool is assigned', async () => {
    const crib = await openCrib({
      tools: [refund({ reviewers: ['ana'] })],
      reviewers: ['ana', 'person:ana', 'person:eve', 'ben'],
      actor: 'agent:1',
    })
    const surface = await crib.surface({ scope: 'turn' })
    for (const [by, isOk] of [
      ['ben', false],
      ['person:eve', false],
      ['agent:1', false],
      ['ana', true],
    ] as const) {
      const call = crib.call(surface, { name: NAME, input: { order: by } })
      const { approval_id: id, assigned_to: assigned } = (await call.pending())!
      expect(assigned).toEqual(['ana'])
      const content = { decision: 'refund' }
      const outcome = await crib.approvals.answer(id, { approved: true, by, content })
      expect({ by, ok: outcome.ok }).toEqual({ by, ok: isOk })
      await crib.approvals.answer(id, { approved: true, by: 'person:ana', content })
      expect((await call).status).toBe('succeeded')
    }
  })

  it('takes answers from reviewers whom the crib that asked names only for this tool', async () => {
    const store = memoryStore()
    const shared = { ...store, close: async () => {} }
    const asking = await openCrib({
      store: shared,
      tools: [refund({ reviewers: ['ana'] })],
      reviewers: ['eve'],
    })
    const answering = await openCrib({ store, reviewers: ['ana', 'ben', 'eve'] })
    const surface = await asking.surface({ scope: 'turn' })
    const call = asking.call(surface, { name: NAME, input: { order: 'A1' } })
    const { approval_id: id } = (await call.pending())!
    const content = { decision: 'refund' }
    for (const by of ['ben', 'eve'])
      expect(await answering.approvals.answer(id, { approved: true, by, content })).toMatchObject({
        error: { error_code: 'toolcrib.not_a_reviewer' },
      })
    expect(await answering.approvals.answer(id, { approved: true, by: 'ana', content })).toMatchObject({
      ok: true,
    })
    expect((await call).status).toBe('succeeded')
  })

  it('an approver in this process corrects a wrong answer, and reviewers answer if it cannot', async () => {
    const problems: (string | undefined)[] = []
    const approver = vi.fn(({ form, problem }: { form?: unknown; problem?: string }) => {
      expect(form).toMatchObject({ type: 'object' })
      problems.push(problem)
      return { approved: true as const, content: problem ? { decision: 'refund' } : { decision: 'yes' } }
    })
    const crib = await openCrib({ tools: [refund()], approver: approver as never })
    const surface = await crib.surface({ scope: 'turn' })
    const result = await crib.call(surface, { name: NAME, input: { order: 'A1' } })
    expect(result.structured_content).toEqual({ decision: 'refund' })
    expect(problems).toEqual([
      undefined,
      'The content does not fit the form: "decision" must be one of "refund", "refuse".',
    ])

    const yes = await openCrib({ tools: [refund()], approver: () => ({ approved: true }) })
    expect(
      await yes.call(await yes.surface({ scope: 'turn' }), { name: NAME, input: { order: 'A1' } }),
    ).toMatchObject({ is_error: true, error: { error_code: 'toolcrib.answer_invalid' } })

    const both = await openCrib({
      tools: [refund()],
      approver: () => ({ approved: true }),
      reviewers: ['ann'],
    })
    const call = both.call(await both.surface({ scope: 'turn' }), { name: NAME, input: { order: 'A1' } })
    const { approval_id: id } = (await call.pending())!
    await both.approvals.answer(id, { approved: true, by: 'ann', content: { decision: 'refund' } })
    expect((await call).status).toBe('succeeded')
  })

  it('needs a schema of the answer', () => {
    expect(() => definePersonTool({ name: 'x', description: 'Asks.' } as never)).toThrow('needs an "output"')
  })
})
