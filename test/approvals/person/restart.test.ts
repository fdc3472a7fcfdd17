import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCrib, sqliteStore, type Crib, type CribOptions } from 'toolcrib'
import { checkLog } from '../../crib/recovery/check-log.mjs'
import { endChildren } from '../../storage/run-child.js'
import { openTemporaryFolder, type TemporaryFolder } from '../../temporary-folder.js'
import { until } from '../../until.js'
import {
  callAndWait,
  startCribProcess,
  type CribProcess,
  type CribProcessOptions,
} from '../start-crib-process.js'

let place: TemporaryFolder
let path: string
const cribs: Crib[] = []
const SECRET = 'hunter2-secret'
const PIN = 'pin-4711-secret'

beforeEach(() => {
  place = openTemporaryFolder()
  path = place.file('crib.db')
})

afterEach(async () => {
  for (const crib of cribs.splice(0)) await crib.close({ graceMs: 0 })
  await endChildren()
  place.remove()
})

const start = (more: Partial<CribProcessOptions> = {}): Promise<CribProcess> =>
  startCribProcess({ path, effects: place.file('effects'), ...more })

async function open(options: CribOptions = {}): Promise<Crib> {
  const crib = await createCrib({ store: sqliteStore({ path, pollMs: 5 }), ...options })
  cribs.push(crib)
  return crib
}

const askIn = (child: CribProcess, input: unknown = { to: 'ada' }) => callAndWait(child, input, 'desk.review')

async function resultOf(crib: Crib, id: string) {
  await until(async () => (await crib.result(id)) !== undefined)
  return (await crib.result(id))!
}

interface Announced {
  pid: number
  approvalId: string
  input: unknown
  attempt: number
}

function announcedIn(file: string): Announced[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as Announced)
}

/** No file of the store holds one of the secrets in plain text. */
function expectNoSecrets(): void {
  for (const name of readdirSync(dirname(path)).filter((each) => each.startsWith('crib.db')))
    for (const secret of [SECRET, PIN])
      expect(readFileSync(join(dirname(path), name)).includes(secret), name).toBe(false)
}

describe('a question to a person', () => {
  it('survives the kill of its process, and the answer is the result in another', async () => {
    const first = await start()
    const { approvalId, invocationId } = await askIn(first, { to: 'ada', key: SECRET })
    await first.kill()
    const second = await start()
    const wrong = await second.ask({ do: 'answer', id: approvalId, approved: true, by: 'ann' }, 'answered')
    expect(wrong).toMatchObject({ ok: false, code: 'toolcrib.answer_invalid' })
    const answer = { approved: true, by: 'ann', content: { ok: true, pin: PIN } }
    const answered = await second.ask({ do: 'answer', id: approvalId, ...answer }, 'answered')
    expect(answered).toMatchObject({ ok: true, goesOn: 'here' })
    const crib = await open()
    expect(await resultOf(crib, invocationId)).toMatchObject({
      status: 'succeeded',
      structured_content: { ok: true, pin: '[redacted]' },
      toolcrib: { native: { source: 'person', answered_by: 'ann', approval_id: approvalId } },
    })
    await second.close()
    expect(await crib.approvals.get(approvalId)).toMatchObject({
      status: 'used',
      answer: { content: { ok: true, pin: '[redacted]' } },
    })
    expect((await checkLog(crib as never, { effects: [] })).problems).toEqual([])
    expectNoSecrets()
  })

  it('is answered while no process has the tool, and continues when one has', async () => {
    const first = await start()
    const { approvalId, invocationId } = await askIn(first)
    await first.kill()
    const reviewer = await start({ hasTool: false })
    const wrong = { approved: true, by: 'ben', content: { ok: 'yes' } }
    expect(await reviewer.ask({ do: 'answer', id: approvalId, ...wrong }, 'answered')).toMatchObject({
      code: 'toolcrib.answer_invalid',
    })
    const answer = { approved: true, by: 'ben', content: { ok: false, pin: PIN } }
    expect(await reviewer.ask({ do: 'answer', id: approvalId, ...answer }, 'answered')).toMatchObject({
      ok: true,
      goesOn: 'unclaimed',
    })
    // The sealed content waits in the store; nobody reads it there.
    expectNoSecrets()
    await reviewer.kill()
    const heir = await start()
    const crib = await open()
    expect(await resultOf(crib, invocationId)).toMatchObject({
      structured_content: { ok: false, pin: '[redacted]' },
    })
    await heir.close()
    const { value } = (await crib.store.getDocument('default', 'approval', approvalId))!
    expect(Object.keys(value as object).sort()).toEqual(['approval', 'proof'])
  })

  it('is asked again if the tool changed meanwhile', async () => {
    const first = await start()
    const { approvalId, invocationId } = await askIn(first)
    await first.kill()
    const changed = await start({ description: 'Asks something else.' })
    const answer = { approved: true, by: 'ann', content: { ok: true } }
    await changed.ask({ do: 'answer', id: approvalId, ...answer }, 'answered')
    const crib = await open({ reviewers: ['ann'] })
    const pending = async () => (await crib.approvals.list({ status: 'pending' }))[0]
    await until(async () => (await pending()) !== undefined)
    const anew = (await pending())!
    expect(anew).toMatchObject({ invocation_id: invocationId, description: 'Asks something else.' })
    expect(anew.approval_id).not.toBe(approvalId)
    expect(await crib.result(invocationId)).toBeUndefined()
    await changed.ask({ do: 'answer', id: anew.approval_id, ...answer }, 'answered')
    expect(await resultOf(crib, invocationId)).toMatchObject({ structured_content: { ok: true } })
  })

  it('loses no answer when processes are killed while they continue', async () => {
    const owner = await start()
    const asked: { approvalId: string; invocationId: string }[] = []
    for (let index = 0; index < 20; index++) asked.push(await askIn(owner, { to: `r${index}` }))
    await owner.kill()
    const reviewer = await start({ hasTool: false })
    const ids = asked.map(({ approvalId }) => approvalId)
    const answer = { approved: true, by: 'ann', content: { ok: true } }
    await reviewer.ask({ do: 'answerAll', ids, ...answer }, 'answeredAll')
    for (let round = 0; round < 4; round++) {
      const claimer = await start()
      await new Promise((resolve) => setTimeout(resolve, 10 * round))
      await claimer.kill()
    }
    const last = await start()
    const crib = await open()
    const results = await Promise.all(asked.map(({ invocationId }) => resultOf(crib, invocationId)))
    await last.close()
    for (const { structured_content: content } of results) expect(content).toEqual({ ok: true })
    expect((await checkLog(crib as never, { effects: [] })).problems).toEqual([])
  })
})

describe('an announcement', () => {
  it('that was not confirmed is sent again after a restart, and not once it was', async () => {
    const announce = place.file('announced')
    const first = await start({ announce, diesAtAnnounce: true })
    first.send({ do: 'call', input: { to: 'ada', key: SECRET }, name: 'desk.review' })
    await first.child.end
    expect(announcedIn(announce)).toMatchObject([{ attempt: 1, input: { to: 'ada', key: '[redacted]' } }])

    const second = await start({ announce })
    const crib = await open({ reviewers: ['ann'] })
    const [{ approvalId }] = announcedIn(announce) as [Announced]
    await until(async () => (await crib.approvals.get(approvalId))?.delivery?.announced_at !== undefined)
    await second.close()
    const third = await start({ announce })
    const answer = { approved: true, by: 'ann', content: { ok: true } }
    await third.ask({ do: 'answer', id: approvalId, ...answer }, 'answered')
    expect(announcedIn(announce).map(({ pid, attempt }) => [pid, attempt])).toEqual([
      [first.child.pid, 1],
      [second.child.pid, 2],
    ])
    expect((await crib.approvals.get(approvalId))!.delivery).toMatchObject({ attempts: 2 })
  })

  it('is sent by one of several processes', async () => {
    const announce = place.file('announced')
    const owner = await start()
    const { approvalId } = await askIn(owner)
    await owner.kill()
    await Promise.all([start({ announce }), start({ announce }), start({ announce })])
    const crib = await open({ reviewers: ['ann'] })
    await until(async () => (await crib.approvals.get(approvalId))?.delivery?.announced_at !== undefined)
    expect(announcedIn(announce)).toHaveLength(1)
  })
})
