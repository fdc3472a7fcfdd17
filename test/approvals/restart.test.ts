import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCrib, sqliteStore, type Crib, type CribOptions } from 'toolcrib'
import { canonicalJson } from '../../src/platform/json/canonical-json.js'
import { checkLog } from '../crib/recovery/check-log.mjs'
import { endChildren } from '../storage/run-child.js'
import { openTemporaryFolder, type TemporaryFolder } from '../temporary-folder.js'
import {
  callAndWait,
  effectsIn,
  startCribProcess,
  type CribProcess,
  type CribProcessOptions,
} from './start-crib-process.js'
import { documentsOf } from '../storage/make-records.js'

let place: TemporaryFolder
let path: string
let effects: string
const cribs: Crib[] = []

beforeEach(() => {
  place = openTemporaryFolder()
  path = place.file('crib.db')
  effects = place.file('effects')
})

afterEach(async () => {
  for (const crib of cribs.splice(0)) await crib.close({ graceMs: 0 })
  await endChildren()
  place.remove()
})

const start = (more: Partial<CribProcessOptions> = {}): Promise<CribProcess> =>
  startCribProcess({ path, effects, ...more })

async function open(options: CribOptions = {}): Promise<Crib> {
  const crib = await createCrib({ store: sqliteStore({ path, pollMs: 5 }), ...options })
  cribs.push(crib)
  return crib
}

/** Until the call has its result, in any process. */
async function resultOf(crib: Crib, id: string) {
  for (;;) {
    const result = await crib.result(id)
    if (result) return result
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Every call has one valid story and one result, and none had an effect without a recorded start. */
async function expectSoundLog(crib: Crib): Promise<void> {
  const done = effectsIn(effects).map(({ invocationId }) => invocationId)
  const { problems } = await checkLog(crib as never, { effects: done })
  expect(problems).toEqual([])
  expect(new Set(done).size, 'nothing ran twice').toBe(done.length)
  await expectJudgedInputs(crib)
  for (const { id, value } of await documentsOf(crib.store, 'default', 'approval')) {
    const { approval, sealed } = value as { approval: { status: string }; sealed?: string }
    const waits = approval.status === 'pending' || approval.status === 'approved'
    expect({ id, sealed: sealed !== undefined }).toEqual({ id, sealed: waits })
    expect(waits, 'every call has ended').toBe(false)
  }
}

/** In any process: the event of each decision names the input that it is about, as the story does. */
async function expectJudgedInputs(crib: Crib): Promise<void> {
  for await (const { data, invocation_id: id } of crib.events()) {
    const decision = data?.['decision'] as
      { decision_id: string; toolcrib: Record<string, string> } | undefined
    if (!decision) continue
    const { input_ref: ref, input_digest: digest } = decision.toolcrib
    const judged = canonicalJson(await crib.resolveRef(ref!))
    expect(digest).toBe(`sha256:${createHash('sha256').update(judged).digest('hex')}`)
    const { decisions } = (await crib.story(id!))!
    expect(decisions.find((each) => each.decision_id === decision.decision_id)).toEqual(decision)
    expect(decision.toolcrib['input_digest_of']).toBe(
      judged.includes('[redacted]') ? 'masked_input' : undefined,
    )
  }
}

describe('a pending call', () => {
  it('[AT-PERM-07] [AT-PERM-03] survives the kill of its process, is answered by another and runs once under its id', async () => {
    const first = await start()
    const { approvalId, invocationId } = await callAndWait(first, { to: 'ada', key: 'hunter2-secret' })
    await first.kill()

    const second = await start()
    const answered = await second.ask(
      { do: 'answer', id: approvalId, approved: true, by: 'ann', feedback: 'Go on.' },
      'answered',
    )
    expect(answered).toMatchObject({ ok: true, goesOn: 'here' })
    const crib = await open()
    expect(await resultOf(crib, invocationId)).toMatchObject({
      status: 'succeeded',
      invocation_id: invocationId,
      structured_content: { sent: 'ada', with: 'the key [redacted]' },
    })
    await second.close()
    expect(effectsIn(effects)).toEqual([
      { pid: second.child.pid, invocationId, input: { to: 'ada', key: 'hunter2-secret', copies: 1 } },
    ])
    const { invocation, decisions } = (await crib.story(invocationId))!
    expect(invocation.status_transitions!.map(({ to }) => to)).toEqual([
      'planned',
      'selected',
      'arguments_ready',
      'awaiting_approval',
      'arguments_ready',
      'approved',
      'running',
      'succeeded',
    ])
    expect(decisions).toMatchObject([
      { behavior: 'ask' },
      {
        behavior: 'allow',
        source: 'toolcrib.approver',
        reason: { type: 'permission_prompt_tool' },
        user_modified: false,
        accept_feedback: 'Go on.',
        toolcrib: { by: 'ann', approval_id: approvalId },
      },
    ])
    expect(decisions[1]!.expires_at).toBe(decisions[0]!.expires_at)
    expect(await crib.approvals.get(approvalId)).toMatchObject({ status: 'used', answer: { by: 'ann' } })
    await expectSoundLog(crib)
  })

  it('continues in its own process when another one answers', async () => {
    const owner = await start()
    const { approvalId, invocationId } = await callAndWait(owner, { to: 'ada' })
    const reviewer = await start({ hasTool: false })
    const answered = await reviewer.ask(
      { do: 'answer', id: approvalId, approved: true, by: 'ben' },
      'answered',
    )
    expect(answered).toMatchObject({ ok: true, goesOn: 'elsewhere' })
    const { ended, result } = await owner.receive('ended')
    expect(ended).toBe(invocationId)
    expect(result).toMatchObject({ status: 'succeeded', invocation_id: invocationId })
    expect(effectsIn(effects).map(({ pid }) => pid)).toEqual([owner.child.pid])
    await expectSoundLog(await open())
  })

  it('that is answered while no process has the tool is claimed at the next open', async () => {
    const first = await start()
    const { approvalId, invocationId } = await callAndWait(first, { to: 'ada' })
    await first.kill()
    const reviewer = await start({ hasTool: false })
    const answered = await reviewer.ask(
      { do: 'answer', id: approvalId, approved: true, by: 'ann' },
      'answered',
    )
    expect(answered).toMatchObject({ ok: true, goesOn: 'unclaimed' })
    await reviewer.close()
    expect(effectsIn(effects)).toEqual([])

    const passing = await start({ claim: false })
    await passing.close()
    expect(effectsIn(effects), 'who says that it does not claim does not').toEqual([])

    const later = await start()
    const crib = await open()
    expect(await resultOf(crib, invocationId)).toMatchObject({ status: 'succeeded' })
    expect(effectsIn(effects).map(({ pid }) => pid)).toEqual([later.child.pid])
    const types: string[] = []
    for await (const { event_type: type } of crib.events({ invocation: invocationId })) types.push(type)
    expect(types.filter((type) => type === 'toolcrib.invocation.claimed')).toHaveLength(1)
    await expectSoundLog(crib)
  })

  it('whose process dies before it received the answer continues elsewhere', async () => {
    const owner = await start()
    const { approvalId, invocationId } = await callAndWait(owner, { to: 'ada' })
    owner.child.kill('SIGSTOP')
    const reviewer = await start({ hasTool: false })
    const answered = await reviewer.ask(
      { do: 'answer', id: approvalId, approved: true, by: 'ann' },
      'answered',
    )
    expect(answered, 'a process that only stands still is not dead').toMatchObject({ goesOn: 'elsewhere' })
    const heir = await start()
    await owner.kill()
    const crib = await open()
    expect(await resultOf(crib, invocationId)).toMatchObject({ status: 'succeeded' })
    expect(effectsIn(effects).map(({ pid }) => pid)).toEqual([heir.child.pid])
    await expectSoundLog(crib)
  })

  it('that is rejected ends with the message of the reviewer, with or without the tool', async () => {
    const first = await start()
    const { approvalId, invocationId } = await callAndWait(first, { to: 'ada', key: 'hunter2-secret' })
    await first.kill()
    const crib = await open({ reviewers: ['ann'] })
    const feedback = 'Not with hunter2-secret; ask ben.'
    expect(await crib.approvals.answer(approvalId, { approved: false, by: 'ann', feedback })).toMatchObject({
      ok: true,
      goesOn: 'ended',
    })
    const result = (await crib.result(invocationId))!
    expect(result).toMatchObject({
      status: 'rejected',
      is_error: true,
      error: { error_class: 'approval_rejected', error_code: 'toolcrib.approval_rejected' },
    })
    expect(result.model_facing_content![0]!.text).toContain('Not with [redacted]; ask ben.')
    const { decisions } = (await crib.story(invocationId))!
    expect(decisions.at(-1)).toMatchObject({
      behavior: 'deny',
      source: 'toolcrib.approver',
      toolcrib: { by: 'ann', approval_id: approvalId },
    })
    await expectSoundLog(crib)
  })

  it('is not closed by recovery, however often others open the store', async () => {
    const first = await start()
    const { approvalId, invocationId } = await callAndWait(first, { to: 'ada' })
    await first.kill()
    for (let round = 0; round < 3; round++) await (await start()).close()
    const crib = await open()
    expect(await crib.invocation(invocationId)).toMatchObject({ status: 'awaiting_approval' })
    expect(await crib.approvals.get(approvalId)).toMatchObject({ status: 'pending' })
  })
})

describe('at the same time', () => {
  const COUNT = 60

  it('two processes answer: each approval is answered by exactly one of them', async () => {
    const owner = await start()
    const ids: string[] = []
    for (let index = 0; index < COUNT; index++) {
      ids.push((await callAndWait(owner, { to: `r${index}` })).approvalId)
    }
    await owner.kill()
    const [ann, ben] = await Promise.all([start({ hasTool: false }), start({ hasTool: false })])
    ann.send({ do: 'answerAll', ids, approved: true, by: 'ann' })
    ben.send({ do: 'answerAll', ids, approved: false, by: 'ben' })
    const [byAnn, byBen] = (await Promise.all([ann.receive('answeredAll'), ben.receive('answeredAll')])).map(
      (said) => said['answeredAll'] as string[],
    ) as [string[], string[]]
    const crib = await open()
    for (const [index, id] of ids.entries()) {
      expect([byAnn[index], byBen[index]].sort()).toEqual(['ok', 'toolcrib.approval_already_answered'])
      const winner = byAnn[index] === 'ok' ? 'ann' : 'ben'
      expect((await crib.approvals.get(id))!.answer!.by).toBe(winner)
    }
  })

  it('several processes claim: every call runs once', async () => {
    const owner = await start()
    const calls: { approvalId: string; invocationId: string }[] = []
    for (let index = 0; index < COUNT; index++) calls.push(await callAndWait(owner, { to: `r${index}` }))
    await owner.kill()
    const reviewer = await start({ hasTool: false })
    const claimers = await Promise.all([start(), start(), start()])
    const ids = calls.map(({ approvalId }) => approvalId)
    expect(
      new Set(
        (await reviewer.ask({ do: 'answerAll', ids, approved: true, by: 'ann' }, 'answeredAll'))[
          'answeredAll'
        ] as string[],
      ),
    ).toEqual(new Set(['ok']))
    const crib = await open()
    for (const { invocationId } of calls)
      expect(await resultOf(crib, invocationId)).toMatchObject({ status: 'succeeded' })
    for (const each of claimers) await each.close()
    expect(
      effectsIn(effects)
        .map(({ invocationId }) => invocationId)
        .sort(),
    ).toEqual(calls.map(({ invocationId }) => invocationId).sort())
    await expectSoundLog(crib)
  })

  it('processes that are killed while they claim lose nothing and run nothing twice', async () => {
    const owner = await start()
    const calls: { approvalId: string; invocationId: string }[] = []
    for (let index = 0; index < COUNT; index++) calls.push(await callAndWait(owner, { to: `r${index}` }))
    await owner.kill()
    const reviewer = await start({ hasTool: false })
    const ids = calls.map(({ approvalId }) => approvalId)
    await reviewer.ask({ do: 'answerAll', ids, approved: true, by: 'ann' }, 'answeredAll')
    for (let round = 0; round < 4; round++) {
      const claimer = await start()
      await new Promise((resolve) => setTimeout(resolve, 10 * round))
      await claimer.kill()
    }
    const last = await start()
    const crib = await open()
    for (const { invocationId } of calls) await resultOf(crib, invocationId)
    await last.close()
    // What a killed process had started is closed by recovery and never run again.
    await expectSoundLog(crib)
  })
})
