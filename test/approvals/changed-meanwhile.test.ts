import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defineTool, sqliteStore, type Crib, type Verdict } from 'toolcrib'
import { onBothStores, openCrib } from '../scenarios/open-crib.js'
import { endChildren } from '../storage/run-child.js'
import { openTemporaryFolder, type TemporaryFolder } from '../temporary-folder.js'
import {
  callAndWait,
  effectsIn,
  startCribProcess,
  type CribProcess,
  type CribProcessOptions,
} from './start-crib-process.js'

async function resultOf(crib: Crib, id: string) {
  for (;;) {
    const result = await crib.result(id)
    if (result) return result
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Until a call waits for another approval than this one. */
async function askedAnew(crib: Crib, old: string) {
  for (;;) {
    const open = await crib.approvals.list({ status: 'pending' })
    const found = open.find(({ approval_id: id }) => id !== old)
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

onBothStores('what changed while a call waited', (newStore) => {
  const tool = (version: string, execute: () => unknown) =>
    defineTool({ name: 't', description: `Version ${version}.`, execute })

  it('the policy: the call is judged again and, if still needed, gets a new approval', async () => {
    let revision = 'p1'
    const execute = vi.fn(() => 'done')
    const crib = await openCrib({
      store: newStore(),
      tools: [tool('1', execute)],
      decider: () => ({ behavior: 'ask' }),
      policyRevision: () => revision,
      reviewers: ['ann'],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    const first = (await call.pending())!
    expect(first.policy_revision).toBe('p1')
    revision = 'p2'
    expect(await crib.approvals.answer(first.approval_id, { approved: true, by: 'ann' })).toMatchObject({
      ok: true,
    })
    const second = await askedAnew(crib, first.approval_id)
    expect(second).toMatchObject({
      invocation_id: first.invocation_id,
      policy_revision: 'p2',
      status: 'pending',
    })
    expect(await crib.approvals.get(first.approval_id)).toMatchObject({ status: 'superseded' })
    expect(execute).not.toHaveBeenCalled()
    const again = await crib.approvals.answer(first.approval_id, { approved: true, by: 'ann' })
    expect(again).toMatchObject({ ok: false, error: { error_code: 'toolcrib.approval_withdrawn' } })
    await crib.approvals.answer(second.approval_id, { approved: true, by: 'ann' })
    expect((await call).status).toBe('succeeded')
    expect(execute).toHaveBeenCalledOnce()
    expect(await crib.approvals.get(second.approval_id)).toMatchObject({ status: 'used' })
  })

  it.each<[Verdict['behavior'], string]>([
    ['allow', 'succeeded'],
    ['deny', 'denied'],
  ])('the policy: with the new decision %s no other answer is needed', async (behavior, status) => {
    let verdict: Verdict = { behavior: 'ask' }
    let revision = 'p1'
    const execute = vi.fn(() => 'done')
    const crib = await openCrib({
      store: newStore(),
      tools: [tool('1', execute)],
      decider: () => verdict,
      policyRevision: () => revision,
      reviewers: ['ann'],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    const { approval_id: id } = (await call.pending())!
    verdict = { behavior }
    revision = 'p2'
    await crib.approvals.answer(id, { approved: true, by: 'ann' })
    expect((await call).status).toBe(status)
    expect(execute).toHaveBeenCalledTimes(behavior === 'allow' ? 1 : 0)
    expect(await crib.approvals.get(id)).toMatchObject({ status: 'superseded' })
    expect(await crib.approvals.list({ status: 'pending' })).toEqual([])
  })

  it('the tool: the new one needs approval, and the new one runs', async () => {
    const [before, after] = [vi.fn(() => 'old'), vi.fn(() => 'new')]
    const crib = await openCrib({
      store: newStore(),
      decider: () => ({ behavior: 'ask' }),
      reviewers: ['ann'],
    })
    const added = await crib.add([tool('1', before)], 'plugin')
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    const first = (await call.pending())!
    await added.dispose()
    await crib.add([tool('2', after)], 'plugin')
    await crib.approvals.answer(first.approval_id, { approved: true, by: 'ann' })
    const second = await askedAnew(crib, first.approval_id)
    expect(second.tool_fingerprint).not.toBe(first.tool_fingerprint)
    expect(second.description).toBe('Version 2.')
    await crib.approvals.answer(second.approval_id, { approved: true, by: 'ann' })
    expect((await call).status).toBe('succeeded')
    expect(before).not.toHaveBeenCalled()
    expect(after).toHaveBeenCalledOnce()
  })

  it('the tool is gone: the call ends and says so', async () => {
    const execute = vi.fn()
    const crib = await openCrib({
      store: newStore(),
      decider: () => ({ behavior: 'ask' }),
      reviewers: ['ann'],
    })
    const added = await crib.add([tool('1', execute)], 'plugin')
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    const { approval_id: id } = (await call.pending())!
    await added.dispose()
    await crib.approvals.answer(id, { approved: true, by: 'ann' })
    expect(await call).toMatchObject({
      status: 'failed',
      error: { error_class: 'dependency_unavailable', error_code: 'toolcrib.tool_gone' },
    })
    expect(execute).not.toHaveBeenCalled()
  })
})

describe('what changed while no process had the call', () => {
  let place: TemporaryFolder
  let path: string
  let effects: string

  beforeEach(() => {
    place = openTemporaryFolder()
    path = place.file('crib.db')
    effects = place.file('effects')
  })

  afterEach(async () => {
    await endChildren()
    place.remove()
  })

  const start = (more: Partial<CribProcessOptions> = {}): Promise<CribProcess> =>
    startCribProcess({ path, effects, ...more })

  async function waitingAndKilled() {
    const first = await start()
    const call = await callAndWait(first, { to: 'ada', key: 'hunter2-secret' })
    await first.kill()
    return call
  }

  it.each<[string, Partial<CribProcessOptions>]>([
    ['the tool says something else of itself', { description: 'Sends a letter by air.' }],
    ['the rules are others', { policyRevision: 'p2' }],
  ])('%s: a new approval for the same call', async (_what, more) => {
    const { approvalId, invocationId } = await waitingAndKilled()
    const second = await start(more)
    await second.ask({ do: 'answer', id: approvalId, approved: true, by: 'ann' }, 'answered')
    const crib = await openCrib({ store: sqliteStore({ path }) })
    const again = await askedAnew(crib, approvalId)
    expect(again).toMatchObject({ invocation_id: invocationId, input: { to: 'ada', key: '[redacted]' } })
    expect(await crib.approvals.get(approvalId)).toMatchObject({ status: 'superseded' })
    expect(effectsIn(effects)).toEqual([])
    await second.ask({ do: 'answer', id: again.approval_id, approved: true, by: 'ann' }, 'answered')
    expect(await resultOf(crib, invocationId)).toMatchObject({ status: 'succeeded' })
    expect(effectsIn(effects)).toMatchObject([{ invocationId, input: { to: 'ada', key: 'hunter2-secret' } }])
  })

  it.each<['allow' | 'deny', string]>([
    ['allow', 'succeeded'],
    ['deny', 'denied'],
  ])('the decider now says %s: that decision counts', async (verdict, status) => {
    const { approvalId, invocationId } = await waitingAndKilled()
    const second = await start({ verdict })
    await second.ask({ do: 'answer', id: approvalId, approved: true, by: 'ann' }, 'answered')
    const crib = await openCrib({ store: sqliteStore({ path }) })
    expect(await resultOf(crib, invocationId)).toMatchObject({ status })
    expect(effectsIn(effects)).toHaveLength(verdict === 'allow' ? 1 : 0)
    expect(await crib.approvals.get(approvalId)).toMatchObject({ status: 'superseded' })
  })

  it('without an approver for the new approval, the call is left to processes that have one', async () => {
    const { approvalId, invocationId } = await waitingAndKilled()
    const reviewer = await start({ hasTool: false })
    await reviewer.ask({ do: 'answer', id: approvalId, approved: true, by: 'ann' }, 'answered')
    const unable = await start({ policyRevision: 'p2', reviewers: [] })
    await unable.close()
    const crib = await openCrib({ store: sqliteStore({ path }) })
    expect(await crib.invocation(invocationId)).toMatchObject({ status: 'awaiting_approval' })
    expect(await crib.approvals.get(approvalId)).toMatchObject({ status: 'approved' })
    const able = await start()
    expect(await resultOf(crib, invocationId)).toMatchObject({ status: 'succeeded' })
    await able.close()
  })
})

describe('expiry', () => {
  let place: TemporaryFolder

  beforeEach(() => {
    place = openTemporaryFolder()
  })

  afterEach(async () => {
    await endChildren()
    place.remove()
  })

  it('ends a pending call in its own process, and a later answer is refused', async () => {
    const execute = vi.fn()
    const crib = await openCrib({
      store: sqliteStore({ path: place.file('crib.db') }),
      tools: [defineTool({ name: 't', description: 'T.', execute })],
      reviewers: ['ann'],
      approvals: { expiresMs: 2_000 },
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    const { approval_id: id } = (await call.pending())!
    const result = await call
    expect(result).toMatchObject({
      status: 'rejected',
      error: { error_class: 'approval_rejected', error_code: 'toolcrib.approval_expired' },
    })
    expect(result.error!.message).toContain('expired')
    expect(await crib.approvals.get(id)).toMatchObject({ status: 'expired' })
    expect(await crib.approvals.answer(id, { approved: true, by: 'ann' })).toMatchObject({
      ok: false,
      error: { error_code: 'toolcrib.approval_expired' },
    })
    expect(execute).not.toHaveBeenCalled()
  })

  it('ends the call of a dead process, in any process that sweeps', async () => {
    const [path, effects] = [place.file('crib.db'), place.file('effects')]
    const first = await startCribProcess({ path, effects, expiresMs: 60_000 })
    const { approvalId, invocationId } = await callAndWait(first, { to: 'ada' })
    await first.kill()
    const late = Date.now() + 120_000
    const crib = await openCrib({ store: sqliteStore({ path }), clock: () => late, reviewers: ['ann'] })
    expect(await resultOf(crib, invocationId)).toMatchObject({
      status: 'rejected',
      error: { error_class: 'approval_rejected', error_code: 'toolcrib.approval_expired' },
    })
    expect(await crib.approvals.get(approvalId)).toMatchObject({ status: 'expired' })
  })

  it('approved, but unclaimed until then: the tool was not available', async () => {
    const [path, effects] = [place.file('crib.db'), place.file('effects')]
    const first = await startCribProcess({ path, effects, expiresMs: 60_000 })
    const { approvalId, invocationId } = await callAndWait(first, { to: 'ada' })
    await first.kill()
    const reviewer = await startCribProcess({ path, effects, hasTool: false })
    expect(
      await reviewer.ask({ do: 'answer', id: approvalId, approved: true, by: 'ann' }, 'answered'),
    ).toMatchObject({ goesOn: 'unclaimed' })
    await reviewer.close()
    const late = Date.now() + 120_000
    const crib = await openCrib({ store: sqliteStore({ path }), clock: () => late })
    expect(await resultOf(crib, invocationId)).toMatchObject({
      status: 'failed',
      error: { error_class: 'dependency_unavailable', error_code: 'toolcrib.approval_unclaimed' },
    })
    expect(await crib.approvals.get(approvalId)).toMatchObject({ status: 'expired', answer: { by: 'ann' } })
    expect(effectsIn(effects)).toEqual([])
  })
})
