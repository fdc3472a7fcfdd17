import { readFileSync, statSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  defineTool,
  memoryStore,
  sqliteStore,
  type ApprovalAnswer,
  type ApprovalRequest,
  type CribOptions,
  type Store,
  type ToolcribApproval,
} from 'toolcrib'
import { toEmitSchema, toolcribApprovalSchema } from '../../src/contract/index.js'
import {
  collect,
  createGate,
  onBothStores,
  openCrib,
  shownText,
  temporaryStorePath,
} from '../scenarios/open-crib.js'
import { endChildren, runChild, startChild } from '../storage/run-child.js'
import { temporaryFolder } from '../temporary-folder.js'
import { until } from '../until.js'

afterEach(endChildren)

const tool = (execute: () => unknown = () => 'done', more: object = {}) =>
  defineTool({ name: 't', description: 'Does it.', title: 'The tool', execute, ...more })

const validate = new Ajv2020({ strict: false }).compile(toEmitSchema(toolcribApprovalSchema))

function expectRecord(approval: unknown): void {
  validate(JSON.parse(JSON.stringify(approval)))
  expect(validate.errors ?? []).toEqual([])
}

onBothStores('a call that waits', (newStore) => {
  it('says at once what it waits for', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [tool(undefined, { sensitiveFields: ['key'] })],
      reviewers: ['ann'],
      actor: 'agent:1',
      decider: () => ({
        behavior: 'ask',
        source: 'project_settings',
        reason: { type: 'rule', message: 'Writes are asked about.' },
        rule_refs: ['r1'],
        suggested_updates: [{ type: 'add_rules', rules: ['t'] }],
      }),
    })
    const surface = await crib.surface({ scope: 'turn', session: 's1' })
    const call = crib.call(surface, { name: 't', input: { a: 1, key: 'hunter2-secret' } })
    const approval = (await call.pending())!
    expectRecord(approval)
    expect(approval).toMatchObject({
      invocation_id: call.invocationId,
      tool_id: 'local.t',
      tool_fingerprint: crib.tool('t')!.fingerprint,
      policy_revision: expect.stringMatching(/^[0-9a-f]{16}$/),
      surface_id: surface.id,
      session: 's1',
      requested_by: { actor: 'agent:1', above: [] },
      title: 'local.t (The tool)',
      description: 'Does it.',
      message: 'Writes are asked about.',
      input: { a: 1, key: '[redacted]' },
      decision: { behavior: 'ask', rule_refs: ['r1'], suggested_updates: [{ type: 'add_rules' }] },
      is_editable: true,
      status: 'pending',
    })
    expect(approval.input_digest).toMatch(/^hmac-sha256:[0-9a-f]{64}$/)
    expect(Date.parse(approval.expires_at) - Date.parse(approval.created_at)).toBe(24 * 60 * 60 * 1000)
    const { approval_request_ref: ref, status } = (await crib.invocation(call.invocationId))!
    expect(status).toBe('awaiting_approval')
    expect(await crib.resolveRef(ref!)).toEqual(approval)
    expect(await crib.approvals.list({ status: 'pending' })).toEqual([approval])
    expect(await crib.approvals.list({ session: 's2' })).toEqual([])
    expect(await call.pending(), 'whoever asks again').toEqual(approval)
    await crib.approvals.answer(approval.approval_id, { approved: true, by: 'ann', feedback: 'Fine.' })
    expect((await call).status).toBe('succeeded')
    expect(await call.pending()).toBeUndefined()
    await crib.flush()
    const used = (await crib.approvals.get(approval.approval_id))!
    expectRecord(used)
    expect(used).toMatchObject({
      status: 'used',
      answer: { by: 'ann', approved: true, feedback: 'Fine.', scope: 'once', user_modified: false },
    })
    expect(await crib.approvals.list()).toEqual([used])
    expect(await crib.approvals.list({ status: 'pending' })).toEqual([])
  })

  it("is part of the call's stream", async () => {
    const crib = await openCrib({ store: newStore(), tools: [tool()], reviewers: ['ann'] })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    for await (const { event_type: type, data } of call) {
      if (type !== 'tool.permission.requested') continue
      const id = String(data!['approval_request_ref']).replace('toolcrib://approvals/', '')
      expect(await crib.approvals.answer(id, { approved: true, by: 'ann' })).toMatchObject({ ok: true })
    }
    expect((await call).status).toBe('succeeded')
  })

  it('does not exist if nothing was asked', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [tool(undefined, { isReadOnly: true, isOpenWorld: false })],
      reviewers: ['ann'],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    expect(await call.pending()).toBeUndefined()
    expect((await call).status).toBe('succeeded')
  })

  it.each<[string, object, object]>([
    ['no approver and no reviewer', {}, {}],
    ['a surface that does not ask reviewers', { reviewers: ['ann'] }, { approvals: 'none' }],
    [
      'a surface that does not ask the approver',
      { approver: () => ({ approved: true }) },
      { approvals: 'none' },
    ],
  ])('without an approver, with %s: rejected at once', async (_what, options, request) => {
    const execute = vi.fn()
    const crib = await openCrib({ store: newStore(), tools: [tool(execute)], ...options })
    const call = crib.call(await crib.surface({ scope: 'turn', ...request }), { name: 't' })
    expect(await call.pending()).toBeUndefined()
    expect(await call).toMatchObject({
      status: 'rejected',
      error: { error_class: 'approval_rejected', error_code: 'toolcrib.nobody_to_ask' },
    })
    expect(await crib.approvals.list()).toEqual([])
    expect(execute).not.toHaveBeenCalled()
  })

  it("a rejection reaches the model with the reviewer's message", async () => {
    const crib = await openCrib({ store: newStore(), tools: [tool()], reviewers: ['ann'] })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    const { approval_id: id } = (await call.pending())!
    await crib.approvals.answer(id, { approved: false, by: 'ann', feedback: 'Use the copy.' })
    const result = await call
    expect(result).toMatchObject({ status: 'rejected', error: { error_code: 'toolcrib.approval_rejected' } })
    expect(shownText(result)).toContain('Use the copy.')
    expect(result.ui_facing_summary).toContain('"t (The tool)"')
    expect((await crib.story(call.invocationId))!.decisions.at(-1)).toMatchObject({
      behavior: 'deny',
      source: 'toolcrib.approver',
      reason: { type: 'permission_prompt_tool' },
      user_modified: false,
      toolcrib: { by: 'ann', approval_id: id },
    })
  })

  it('an edited input is validated and judged, and is what runs', async () => {
    const judged: unknown[] = []
    const execute = vi.fn((input: unknown) => input)
    const crib = await openCrib({
      store: newStore(),
      tools: [
        tool(execute as never, {
          sensitiveFields: ['keys'],
          input: {
            jsonSchema: {
              type: 'object',
              properties: { table: { type: 'string' }, keys: { type: 'array' } },
              required: ['table'],
            },
          },
        }),
      ],
      decider: ({ input }) => {
        judged.push(input)
        return { behavior: 'ask' }
      },
      reviewers: ['ann'],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const make = async (input: unknown, edited: unknown) => {
      const call = crib.call(surface, { name: 't', input })
      const { approval_id: id, input: shown } = (await call.pending())!
      await crib.approvals.answer(id, { approved: true, by: 'ann', input: edited })
      return { result: await call, shown, id, call }
    }
    const keys = ['first-secret', 'second-secret']
    const { result, shown, id, call } = await make(
      { table: 'users', keys },
      { table: 'drafts', keys: '[redacted]' },
    )
    expect(shown).toEqual({ table: 'users', keys: '[redacted]' })
    expect(result.status).toBe('succeeded')
    expect(execute.mock.calls.map(([input]) => input)).toEqual([{ table: 'drafts', keys }])
    expect(judged).toEqual([
      { table: 'users', keys },
      { table: 'drafts', keys },
    ])
    expect(await crib.approvals.get(id)).toMatchObject({
      answer: { user_modified: true, input: { table: 'drafts', keys: '[redacted]' } },
    })
    const decided = (await crib.story(call.invocationId))!.decisions[1]!
    expect(decided).toMatchObject({ user_modified: true })
    expect(await crib.resolveRef(decided.updated_input_ref!)).toEqual({ table: 'drafts', keys: '[redacted]' })
    const wrong = await make({ table: 'users' }, { table: 7 })
    expect(wrong.result.error?.error_class).toBe('schema_validation_failed')
    expect(execute).toHaveBeenCalledOnce()
  })

  it('an input that no reviewer may replace is refused at once', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [tool(undefined, { mutationPolicy: 'forbid' })],
      reviewers: ['ann'],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    const { approval_id: id, is_editable: isEditable } = (await call.pending())!
    expect(isEditable).toBe(false)
    expect(await crib.approvals.answer(id, { approved: true, by: 'ann', input: { a: 1 } })).toMatchObject({
      ok: false,
      error: { error_class: 'input_mutation_failed', error_code: 'toolcrib.approval_not_editable' },
    })
    expect(await crib.approvals.answer(id, { approved: true, by: 'ann' })).toMatchObject({ ok: true })
    expect((await call).status).toBe('succeeded')
  })

  it('listeners get every approval and its end', async () => {
    const crib = await openCrib({ store: newStore(), tools: [tool()], reviewers: ['ann'] })
    const heard: [string, string][] = []
    const stop = crib.approvals.watch(({ approval_id: id, status }) => heard.push([id, status]))
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    const { approval_id: id } = (await call.pending())!
    await until(() => heard.length >= 1)
    await crib.approvals.answer(id, { approved: true, by: 'ann' })
    await call
    await until(() => heard.length >= 2)
    stop()
    expect(heard[0]).toEqual([id, 'pending'])
    expect(heard[1]![0]).toBe(id)
    expect(['approved', 'used']).toContain(heard[1]![1])
  })
})

onBothStores('a change of rules with the answer', (newStore) => {
  const updates = [
    { type: 'add_rules', rules: ['t'] },
    { type: 'set_mode', mode: 'open' },
  ]

  async function waiting(options: object = {}) {
    const crib = await openCrib({
      store: newStore(),
      tools: [tool()],
      reviewers: ['ann'],
      decider: () => ({ behavior: 'ask', suggested_updates: updates }),
      ...options,
    })
    const call = crib.call(await crib.surface({ scope: 'turn', session: 's1' }), { name: 't' })
    return { crib, call, id: (await call.pending())!.approval_id }
  }

  it('is made by the owner of the rules, and needs no second approval', async () => {
    let revision = 1
    const acceptUpdate = vi.fn(async () => void revision++)
    const { crib, call, id } = await waiting({ acceptUpdate, policyRevision: () => `p${revision}` })
    const outcome = await crib.approvals.answer(id, { approved: true, by: 'ann', scope: 'always', update: 2 })
    expect(outcome).toMatchObject({
      ok: true,
      approval: { answer: { scope: 'always', accepted_update: updates[1] } },
    })
    expect(acceptUpdate.mock.calls).toEqual([
      [updates[1], { by: 'ann', scope: 'always', tenant: 'default', session: 's1', toolId: 'local.t' }],
    ])
    expect((await call).status).toBe('succeeded')
    expect(await crib.approvals.list()).toHaveLength(1)
    expect((await crib.story(call.invocationId))!.decisions.at(-1)).toMatchObject({
      toolcrib: { by: 'ann', approval_id: id, scope: 'always' },
    })
  })

  it('is refused if there are no rules to change, if none is suggested, and if it fails', async () => {
    const none = await waiting()
    expect(
      await none.crib.approvals.answer(none.id, { approved: true, by: 'ann', scope: 'session' }),
    ).toMatchObject({
      ok: false,
      error: { error_code: 'toolcrib.update_not_accepted' },
    })
    const broken = await waiting({ acceptUpdate: () => Promise.reject(new Error('read-only file')) })
    const { ok, error } = (await broken.crib.approvals.answer(broken.id, {
      approved: true,
      by: 'ann',
      scope: 'always',
    })) as { ok: boolean; error: { message: string } }
    expect({ ok, says: error.message.includes('read-only file') }).toEqual({ ok: false, says: true })
    const other = await waiting({ acceptUpdate: () => {} })
    for (const update of [3, 0, { type: 'add_rules', rules: ['*'] }]) {
      expect(
        await other.crib.approvals.answer(other.id, { approved: true, by: 'ann', scope: 'always', update }),
      ).toMatchObject({ ok: false, error: { error_code: 'toolcrib.update_not_offered' } })
    }
    expect(await other.crib.approvals.answer(other.id, { approved: true, by: 'ann' })).toMatchObject({
      ok: true,
    })
  })

  it('may come from the approver too', async () => {
    const acceptUpdate = vi.fn()
    const crib = await openCrib({
      store: newStore(),
      tools: [tool()],
      decider: () => ({ behavior: 'ask', suggested_updates: updates }),
      acceptUpdate,
      approver: ({ suggestedUpdates }) => ({
        approved: true,
        by: 'bea',
        scope: 'session',
        update: suggestedUpdates[0]!,
      }),
    })
    expect((await crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })).status).toBe('succeeded')
    expect(acceptUpdate).toHaveBeenCalledOnce()
  })
})

onBothStores('an approver and reviewers at once', (newStore) => {
  async function both(approver: (request: ApprovalRequest) => Promise<ApprovalAnswer>) {
    const execute = vi.fn(() => 'done')
    const crib = await openCrib({ store: newStore(), tools: [tool(execute)], reviewers: ['ann'], approver })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    return { crib, call, execute }
  }

  it('the first answer counts, and the other one is refused', async () => {
    const asked = createGate<ApprovalRequest>()
    const answer = createGate<ApprovalAnswer>()
    const { crib, call, execute } = await both((request) => {
      asked.open(request)
      return answer.promise
    })
    const { approvalId, signal, expiresAt } = await asked.promise
    expect((await call.pending())!.expires_at).toBe(expiresAt)
    expect(await crib.approvals.answer(approvalId, { approved: true, by: 'ann' })).toMatchObject({ ok: true })
    expect((await call).status).toBe('succeeded')
    expect(signal.aborted).toBe(true)
    answer.open({ approved: false, by: 'bea' })
    await new Promise(setImmediate)
    expect(execute).toHaveBeenCalledOnce()
    await crib.flush()
    expect(await crib.approvals.get(approvalId)).toMatchObject({ status: 'used', answer: { by: 'ann' } })
  })

  it('the approver’s answer has the same kind of record', async () => {
    const { crib, call } = await both(async () => ({ approved: true, by: 'bea', feedback: 'Yes.' }))
    expect((await call).status).toBe('succeeded')
    await crib.flush()
    const [approval] = (await crib.approvals.list()) as [ToolcribApproval]
    expectRecord(approval)
    expect(approval).toMatchObject({
      status: 'used',
      answer: { by: 'bea', approved: true, feedback: 'Yes.' },
    })
    expect(await crib.approvals.answer(approval.approval_id, { approved: false, by: 'ann' })).toMatchObject({
      error: { error_code: 'toolcrib.approval_already_answered' },
    })
  })

  it('an approver that fails or does not answer leaves it to the reviewers', async () => {
    for (const broken of [() => Promise.reject(new Error('broke')), async () => undefined as never]) {
      const { crib, call } = await both(broken)
      const { approval_id: id } = (await call.pending())!
      await new Promise(setImmediate)
      await crib.approvals.answer(id, { approved: true, by: 'ann' })
      expect((await call).status).toBe('succeeded')
    }
  })
})

describe('a slow store', () => {
  const slowStore = (): Store => {
    const inner = memoryStore()
    return {
      ...inner,
      async write(group) {
        await new Promise(setImmediate)
        return inner.write(group)
      },
    }
  }

  it.each<[string, CribOptions]>([
    ['a reviewer', {}],
    ['an approver at once', { approver: () => ({ approved: true, by: 'bea' }) }],
    [
      'an approver after a while',
      {
        approver: async () => {
          await new Promise((resolve) => setTimeout(resolve, 5))
          return { approved: true, by: 'bea' }
        },
      },
    ],
  ])('is answered by %s all the same', async (_who, options) => {
    const execute = vi.fn(() => 'done')
    const crib = await openCrib({
      store: slowStore(),
      tools: [tool(execute)],
      reviewers: ['ann'],
      ...options,
    })
    const surface = await crib.surface({ scope: 'turn' })
    const calls = Array.from({ length: 20 }, () => crib.call(surface, { name: 't' }))
    if (!options.approver) {
      for (const call of calls) {
        const { approval_id: id } = (await call.pending())!
        expect(await crib.approvals.answer(id, { approved: true, by: 'ann' })).toMatchObject({ ok: true })
      }
    }
    for (const { status } of await Promise.all(calls)) expect(status).toBe('succeeded')
    expect(execute).toHaveBeenCalledTimes(20)
    await crib.flush()
    const statuses = (await crib.approvals.list()).map(({ status }) => status)
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 'used'))
  })
})

describe('closing', () => {
  it('suspends a pending call if there are reviewers: it says what it waits for and stays pending', async () => {
    const path = temporaryStorePath()
    const first = await openCrib({ store: sqliteStore({ path }), tools: [tool()], reviewers: ['ann'] })
    const call = first.call(await first.surface({ scope: 'turn' }), { name: 't' })
    const { approval_id: id } = (await call.pending())!
    const stream = collect(call)
    await first.close()
    const error = await call.then(
      () => undefined,
      (problem: Error) => problem,
    )
    expect(error).toMatchObject({
      code: 'toolcrib.still_waiting',
      approvalId: id,
      invocationId: call.invocationId,
    })
    expect(error!.message).toContain(`toolcrib approvals approve ${id}`)
    expect((await stream).at(-1)!.event_type).toBe('tool.permission.requested')

    const second = await openCrib({ store: sqliteStore({ path }), tools: [tool()], reviewers: ['ann'] })
    expect(await second.invocation(call.invocationId)).toMatchObject({ status: 'awaiting_approval' })
    expect(await second.approvals.answer(id, { approved: true, by: 'ann' })).toMatchObject({ goesOn: 'here' })
    await second.close()
    const third = await openCrib({ store: sqliteStore({ path }) })
    expect(await third.result(call.invocationId), 'closing waits for what it claimed').toMatchObject({
      status: 'succeeded',
    })
  })

  it('cancels it if there are none', async () => {
    const path = temporaryStorePath()
    const asked = createGate()
    const crib = await openCrib({
      store: sqliteStore({ path }),
      tools: [tool()],
      approver: () => {
        asked.open()
        return new Promise(() => {})
      },
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    await asked.promise
    await crib.close()
    expect(await call).toMatchObject({ status: 'canceled', abort_reason: 'runtime_shutdown' })
    const after = await openCrib({ store: sqliteStore({ path }) })
    expect(await after.approvals.list()).toMatchObject([{ status: 'withdrawn' }])
  })

  it('does not lose a concurrent answer', async () => {
    for (let round = 0; round < 10; round++) {
      const path = temporaryStorePath()
      const execute = vi.fn(() => 'done')
      const first = await openCrib({
        store: sqliteStore({ path }),
        tools: [tool(execute)],
        reviewers: ['ann'],
      })
      const call = first.call(await first.surface({ scope: 'turn' }), { name: 't' })
      const { approval_id: id } = (await call.pending())!
      const reviewer = await openCrib({ store: sqliteStore({ path }), reviewers: ['ann'] })
      const [answered] = await Promise.all([
        reviewer.approvals.answer(id, { approved: true, by: 'ann' }),
        first.close(),
      ])
      await call.catch(() => {})
      const next = await openCrib({ store: sqliteStore({ path }), tools: [tool(execute)] })
      while (answered.ok && !(await next.result(call.invocationId)))
        await new Promise((resolve) => setTimeout(resolve, 5))
      expect(await next.result(call.invocationId)).toMatchObject({ status: 'succeeded' })
      expect(execute).toHaveBeenCalledOnce()
    }
  })
})

describe('a process', () => {
  const script = new URL('./children/wait-quietly.mjs', import.meta.url)

  it('stays while a call in it is pending, and continues with the answer', async () => {
    const path = temporaryStorePath()
    const child = startChild(script, [path, 'wait'])
    await child.said('appr_')
    const crib = await openCrib({ store: sqliteStore({ path }), reviewers: ['ann'] })
    const [approval] = await crib.approvals.list({ status: 'pending' })
    await crib.approvals.answer(approval!.approval_id, { approved: true, by: 'ann' })
    expect(await child.end).toMatchObject({ code: 0, stdout: expect.stringContaining('succeeded') })
  })

  it('ends when its crib is closed, or when nothing in it is pending', async () => {
    expect(await runChild(script, [temporaryStorePath(), 'close'])).toContain('appr_')
    expect(await runChild(script, [temporaryStorePath(), 'idle'])).toContain('idle')
  })
})

describe('the key', () => {
  it('is created once, by the first process, and only its user can read it', async () => {
    const path = `${temporaryFolder()}/data/toolcrib/seal.key`
    const script = new URL('./children/make-key.mjs', import.meta.url)
    const children = Array.from({ length: 4 }, () => startChild(script, [path]))
    await Promise.all(children.map((child) => child.said('ready')))
    for (const child of children) child.say('go')
    const ends = await Promise.all(children.map(({ end }) => end))
    expect(new Set(ends.map(({ stdout }) => stdout)).size).toBe(1)
    expect(ends[0]!.stdout).toMatch(/[0-9a-f]{64}/)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(Buffer.from(readFileSync(path, 'utf8'), 'base64')).toHaveLength(32)
  })

  it('that is unusable ends the call with a sentence', async () => {
    vi.stubEnv('TOOLCRIB_SEAL_KEY', 'too short')
    const crib = await openCrib({ store: memoryStore(), tools: [tool()], reviewers: ['ann'] })
    const result = await crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    expect(result.error).toMatchObject({
      error_class: 'setup_required',
      error_code: 'toolcrib.seal_key_unusable',
    })
    expect(result.error!.message).toContain('openssl rand -base64 32')
    vi.unstubAllEnvs()
  })
})
