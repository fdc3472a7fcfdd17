import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCrib, sqliteStore } from 'toolcrib'
import { checkLog } from '../crib/recovery/check-log.mjs'
import { endChildren, runChild } from '../storage/run-child.js'
import { openTemporaryFolder, type TemporaryFolder } from '../temporary-folder.js'

const suspendCall = new URL('./children/suspend-call.mjs', import.meta.url)
const resumeCall = new URL('./children/resume-call.mjs', import.meta.url)

describe('a suspended call', () => {
  let place: TemporaryFolder

  beforeEach(() => {
    place = openTemporaryFolder()
  })

  afterEach(async () => {
    await endChildren()
    place.remove()
  })

  const cases = [
    { until: 'permission', name: 'plain', input: { n: 7, password: 'hunter2-secret' } },
    { until: 'execute', name: 'plain', input: { n: 7, password: 'hunter2-secret' } },
    { until: 'permission', name: 'dated', input: { when: '2001-02-03T04:05:06.000Z' } },
    { until: 'execute', name: 'dated', input: { when: '2001-02-03T04:05:06.000Z' } },
  ]

  it.each(cases)('before $until resumes in another process ($name)', async ({ until, name, input }) => {
    const [path, seen, state] = [place.file('crib.db'), place.file('seen'), place.file('state')]
    const said = await runChild(suspendCall, [path, seen, state, until, name, JSON.stringify(input)])
    expect(said.trim()).toBe(until)
    const kept: unknown = JSON.parse(readFileSync(state, 'utf8'))
    expect(kept).toMatchObject({
      phase: until,
      invocationId: 'inv_resumed',
      inputs: expect.arrayContaining([input]),
    })

    const { pid, result } = JSON.parse(await runChild(resumeCall, [path, seen, state])) as {
      pid: number
      result: { structured_content: unknown }
    }
    expect(result).toMatchObject({ status: 'succeeded', invocation_id: 'inv_resumed', is_error: false })
    const received = JSON.parse(readFileSync(seen, 'utf8')) as object
    expect(received).toEqual({
      pid,
      invocationId: 'inv_resumed',
      input:
        name === 'plain'
          ? { ...input, s: 'filled in' }
          : { when: `Date ${(input as { when: string }).when}` },
    })
    expect(result.structured_content).toEqual(
      name === 'plain' ? { echo: 7, said: 'the password is [redacted]' } : { year: 2001 },
    )

    const crib = await createCrib({ store: sqliteStore({ path }) })
    expect(await checkLog(crib)).toMatchObject({ problems: [], calls: 1, results: { succeeded: 1 } })
    const invocation = await crib.invocation('inv_resumed')
    expect(invocation).toMatchObject({
      tool_id: `local.${name}`,
      surface_id: 'surface_1',
      native_call_id: 'native-1',
      actor_ref: 'ann',
      status: 'succeeded',
    })
    expect(invocation!.permission_decision_refs).toHaveLength(1)
    await crib.close()
    if (name === 'plain') expect(readFileSync(path).includes('hunter2-secret')).toBe(false)
  })

  it('is plain JSON', async () => {
    const [path, seen, state] = [place.file('crib.db'), place.file('seen'), place.file('state')]
    await runChild(suspendCall, [
      path,
      seen,
      state,
      'execute',
      'dated',
      '{"when":"2001-02-03T04:05:06.000Z"}',
    ])
    const kept = JSON.parse(readFileSync(state, 'utf8')) as Record<string, unknown>
    expect(JSON.parse(JSON.stringify(kept))).toEqual(kept)
    expect(kept['facts']).toMatchObject({ is_read_only: false })
    expect(kept['output']).toBeUndefined()
  })

  it('that is never resumed is closed by the next crib, because its process is gone', async () => {
    const [path, seen, state] = [place.file('crib.db'), place.file('seen'), place.file('state')]
    await runChild(suspendCall, [path, seen, state, 'execute', 'plain', '{"n":1}'])
    const crib = await createCrib({ store: sqliteStore({ path }) })
    expect(await crib.result('inv_resumed')).toMatchObject({
      status: 'synthetic_error',
      error: { error_class: 'canceled', error_code: 'toolcrib.owner_lost' },
    })
    expect((await checkLog(crib)).problems).toEqual([])
    await crib.close()
  })
})
