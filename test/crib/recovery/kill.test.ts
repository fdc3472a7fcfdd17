import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCrib, sqliteStore } from 'toolcrib'
import { endChildren, startChild } from '../../storage/run-child.js'
import { openTemporaryFolder, type TemporaryFolder } from '../../temporary-folder.js'
import { checkLog } from './check-log.mjs'
import { points, readEffects } from './workload.mjs'

const makeCalls = new URL('./children/make-calls.mjs', import.meta.url)
const holdCall = new URL('./children/hold-call.mjs', import.meta.url)
const waitForAttempt = new URL('./children/wait-for-attempt.mjs', import.meta.url)
const SIZE = Number(process.env['CRASH_SIZE'] ?? 1)
const AT_ONCE = 2

interface Round {
  plan: object
  wasKilled: boolean
  problems: string[]
}

/** Runs a child until its planned kill, then checks what a new crib makes of the file. */
async function crash(plan: object): Promise<Round> {
  const place = openTemporaryFolder()
  try {
    const path = place.file('crib.db')
    const effectsPath = place.file('effects')
    const { code, signal, stderr } = await startChild(makeCalls, [path, effectsPath, JSON.stringify(plan)])
      .end
    const problems = code === 0 || signal === 'SIGKILL' ? [] : [`the child ended with ${code}: ${stderr}`]
    const crib = await createCrib({ store: sqliteStore({ path }) })
    problems.push(...(await checkLog(crib, { effects: readEffects(effectsPath) })).problems)
    await crib.close()
    return { plan, wasKilled: signal === 'SIGKILL', problems }
  } finally {
    place.remove()
  }
}

async function crashAll(plans: readonly object[]): Promise<Round[]> {
  const rounds: Round[] = []
  const waiting = [...plans]
  const work = async (): Promise<void> => {
    for (let plan = waiting.shift(); plan; plan = waiting.shift()) rounds.push(await crash(plan))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return rounds
}

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1)

describe('a process that is killed', () => {
  afterEach(endChildren)

  it.each(['before', 'after'])('%s each write: a new crib closes its calls', async (when) => {
    const rounds = await crashAll(upTo(12 * SIZE).map((at) => ({ on: 'write', at, when })))
    expect(rounds.filter(({ problems }) => problems.length > 0)).toEqual([])
    expect(rounds.filter(({ wasKilled }) => wasKilled).length).toBeGreaterThanOrEqual(10)
  })

  it('around syncs: a new crib closes its calls', async () => {
    const plans = [1, 2, 5].flatMap((at) => [
      { on: 'sync', at: at * SIZE, when: 'before' },
      { on: 'sync', at: at * SIZE, when: 'after' },
    ])
    const rounds = await crashAll(plans)
    expect(rounds.filter(({ problems }) => problems.length > 0)).toEqual([])
    expect(rounds.every(({ wasKilled }) => wasKilled)).toBe(true)
  })

  it('at each phase that is visible from outside: a new crib closes its calls', async () => {
    const rounds = await crashAll(points.flatMap((point) => [1, 2].map((at) => ({ point, at, rounds: 4 }))))
    expect(rounds.filter(({ problems }) => problems.length > 0)).toEqual([])
    expect(rounds.filter(({ wasKilled }) => !wasKilled)).toEqual([])
  }, 90_000)
})

describe('two processes on one file', () => {
  let place: TemporaryFolder

  beforeEach(() => {
    place = openTemporaryFolder()
  })

  afterEach(async () => {
    await endChildren()
    place.remove()
  })

  it('when one is killed, a third closes its call immediately; the other’s call runs to its end', async () => {
    const path = place.file('crib.db')
    const [killed, living] = [startChild(holdCall, [path]), startChild(holdCall, [path])]
    await Promise.all([killed.said('running '), living.said('running ')])
    killed.kill()
    await killed.end

    const crib = await createCrib({ store: sqliteStore({ path }) })
    const open = (await crib.store.listCalls({ open: true, limit: 10 })).rows
    expect(open).toHaveLength(1)
    expect(open[0]!.status).toBe('running')
    const [recovered] = (await crib.store.listCalls({ status: ['failed'], limit: 10 })).rows
    expect(await crib.result(recovered!.invocationId)).toMatchObject({
      status: 'synthetic_error',
      is_error: true,
      abort_reason: 'runtime_shutdown',
      error: { error_code: 'toolcrib.owner_lost', recoverability: 'inspect_first' },
      toolcrib: { recovered: true },
    })
    const { problems } = await checkLog(crib, { mayBeOpen: (id) => id === open[0]!.invocationId })
    expect(problems).toEqual([])

    living.say('release')
    await living.said('result ')
    expect(await crib.result(open[0]!.invocationId)).toMatchObject({
      status: 'succeeded',
      content: [{ type: 'text', text: 'held to the end' }],
    })
    living.process.stdin!.end()
    expect((await living.end).code).toBe(0)
    expect((await checkLog(crib)).problems).toEqual([])
    await crib.close()
  })

  it('when one is killed while its call waits for a retry, the call is closed as one that may be repeated', async () => {
    const path = place.file('crib.db')
    const killed = startChild(waitForAttempt, [path])
    await killed.said('waiting ')
    killed.kill()
    await killed.end
    const crib = await createCrib({ store: sqliteStore({ path }) })
    const [row] = (await crib.store.listCalls({ limit: 10 })).rows
    expect(await crib.result(row!.invocationId)).toMatchObject({
      status: 'synthetic_error',
      error: {
        error_class: 'execution_failed',
        error_code: 'toolcrib.owner_lost',
        recoverability: 'retry',
        toolcrib: { retry: { safe: true, approval_again: false } },
      },
      toolcrib: { recovered: true },
    })
    const invocation = (await crib.invocation(row!.invocationId))!
    expect(invocation).toMatchObject({ status: 'failed', toolcrib: { attempts: 1 } })
    expect(invocation.status_transitions!.slice(-3).map(({ to }) => to)).toEqual([
      'running',
      'queued',
      'failed',
    ])
    expect((await checkLog(crib)).problems).toEqual([])
    await crib.close()
  })

  it('when both are killed, two cribs that start together close each call once', async () => {
    const path = place.file('crib.db')
    const children = [startChild(holdCall, [path]), startChild(holdCall, [path])]
    await Promise.all(children.map((child) => child.said('running ')))
    for (const child of children) child.kill()
    await Promise.all(children.map(({ end }) => end))
    const cribs = await Promise.all([1, 2, 3].map(() => createCrib({ store: sqliteStore({ path }) })))
    expect(await checkLog(cribs[0]!)).toMatchObject({
      problems: [],
      calls: 2,
      results: { synthetic_error: 2 },
    })
    for (const crib of cribs) await crib.close()
  })
})
