import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  collect,
  createPlace,
  expectRecord,
  fixtures,
  untilPrinted,
  workshop,
  type Place,
} from './run-cli.js'

interface Shown {
  invocation: { invocation_id: string; tool_id: string }
  result: unknown
  decisions: unknown[]
  mutations: unknown[]
  hooks: unknown[]
  progress: unknown[]
  events: unknown[]
}

async function show(place: Place, id = 'last'): Promise<Shown> {
  return JSON.parse((await place.run(['show', id, '--json'])).stdout) as Shown
}

describe('toolcrib show', () => {
  it('prints a call as a timeline, with the inputs where they differ', async () => {
    const place = createPlace(`tools: ['${workshop}']\nactor: ada`)
    await place.run(['call', 'text.count', 'text=  to be '])
    const { code, stdout } = await place.run(['show', 'last'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^✓ text\.count {2}succeeded in \d+ ms$/m)
    expect(stdout).toMatch(/call +inv_/)
    expect(stdout).toMatch(/actor +ada/)
    expect(stdout).toMatch(/^ +\+0 ms {2}asked for as "text\.count" by ada$/m)
    expect(stdout).toMatch(/input changed by the schema .*: text, unit/)
    expect(stdout).toMatch(/allowed by toolcrib\.default: The tool declares/)
    expect(stdout).toContain('Input as written\n  {"text":"  to be "}')
    expect(stdout).toContain('Input as seen, judged, run\n  {"text":"to be","unit":"words"}')
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('prints each attempt of a call that was retried', async () => {
    const place = createPlace(`tools: ['${fixtures}']\nretries: { max: 1, baseMs: 1 }`)
    expect((await place.run(['call', 'test.fail'])).code).toBe(1)
    const { stdout } = await place.run(['show', 'last'])
    expect(stdout).toMatch(/attempt 1 failed, the next one in 1 ms: The drill is broken\./)
    expect(stdout).toMatch(/waits for its turn$/m)
    expect(stdout).toMatch(/the tool started, attempt 2$/m)
  })

  it('--json prints records that fit their schemas', async () => {
    const place = createPlace()
    await place.run(['call', 'slow.count', 'to=2', 'stepMs=1'])
    const shown = await show(place)
    expect(Object.keys(shown)).toEqual([
      'invocation',
      'result',
      'decisions',
      'mutations',
      'hooks',
      'progress',
      'events',
    ])
    expectRecord('tool_invocation', shown.invocation)
    expectRecord('tool_result', shown.result)
    for (const each of shown.decisions) expectRecord('tool_permission_decision', each)
    expect(shown.progress).toHaveLength(2)
    for (const each of shown.progress) expectRecord('tool_progress', each)
    for (const each of shown.events) expectRecord('tool_event', each)
    expect(shown.events.length).toBeGreaterThan(5)
  })

  it('finds a call by its id, by its beginning, its end or the short id of the log', async () => {
    const place = createPlace()
    await place.run(['call', 'math.add', 'a=1', 'b=2'])
    await place.run(['call', 'test.echo'])
    const { invocation_id: id } = (await show(place)).invocation
    const short = (await place.run(['log'])).stdout.trim().split(/\s+/).at(-1)!
    for (const part of [id, id.slice(-10), short, id.slice(0, -2)]) {
      expect((await show(place, part)).invocation.invocation_id).toBe(id)
    }
  })

  it('shows the target of a ref, and uses the same word for a call everywhere', async () => {
    const place = createPlace(`tools: ['${fixtures}']`)
    const called = await place.run(['call', 'test.touch', 'path=made', 'secret=hunter22'])
    expect(called.code).toBe(1)
    const { invocation, decisions } = await show(place)
    const { decision_id: id } = decisions[0] as { decision_id: string }
    const { tool_ref: tool } = (invocation as unknown as { toolcrib: { tool_ref: string } }).toolcrib
    for (const [ref, shown] of [
      [id, { decision_id: id }],
      [tool, { tool_id: 'test.touch', schema_version: '0.2.0' }],
    ] as const) {
      const { code, stdout } = await place.run(['show', ref])
      expect(code, ref).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject(shown)
    }
    expect(await place.run(['show', 'rule:none'])).toMatchObject({ code: 2, stdout: '' })
    for (const command of ['log', 'show last'])
      expect((await place.run(command.split(' '))).stdout).toMatch(/⊘.* denied/)
  })

  it('reports that there is no such call, or that several match', async () => {
    const place = createPlace()
    const none = await place.run(['show', 'last'])
    expect(none.code).toBe(2)
    expect(none.stderr).toContain('nothing was recorded yet')
    expect(existsSync(place.storeFile), 'looking leaves nothing behind').toBe(false)
    await place.run(['call', 'test.echo'])
    await place.run(['call', 'test.echo'])
    const unknown = await place.run(['show', 'inv_nope'])
    expect(unknown).toMatchObject({ code: 2, stdout: '' })
    expect(unknown.stderr).toContain('There is no call "inv_nope"')
    const several = await place.run(['show', 'inv_'])
    expect(several.code).toBe(2)
    expect(several.stderr).toContain('several calls')
  })
})

describe('toolcrib log', () => {
  it('lists calls, the newest last, within 80 columns', async () => {
    const place = createPlace()
    await place.run(['call', 'math.add', 'a=1', 'b=2'])
    await place.run(['call', 'test.fail'])
    await place.run(['call', 'nope'])
    const { code, stdout } = await place.run(['log'])
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d +✓ succeeded +math\.add +\d+ ms {2}\S{11}$/)
    expect(lines[1]).toMatch(/✗ failed +test\.fail/)
    expect(lines[2]).toMatch(/nope \(unknown\)/)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('filters by tool, status, actor, time and number', async () => {
    const place = createPlace()
    await place.run(['call', 'math.add', 'a=1', 'b=2'])
    await place.run(['call', 'test.fail'])
    await place.run(['call', 'test.echo'])
    const tools = async (...args: string[]): Promise<string[]> => {
      const { stdout } = await place.run(['log', '--json', ...args])
      const lines = stdout.split('\n').filter((line) => line !== '')
      return lines.map((line) => {
        const record = JSON.parse(line) as Shown['invocation']
        expectRecord('tool_invocation', record)
        return record.tool_id
      })
    }
    expect(await tools()).toEqual(['math.add', 'test.fail', 'test.echo'])
    expect(await tools('--tool', 'math__add')).toEqual(['math.add'])
    expect(await tools('--status', 'failed,denied')).toEqual(['test.fail'])
    expect(await tools('--actor', 'nobody')).toEqual([])
    expect(await tools('--session', 'none')).toEqual([])
    expect(await tools('--limit', '2')).toEqual(['test.fail', 'test.echo'])
    expect(await tools('--since', '10m')).toHaveLength(3)
    expect(await tools('--since', '2999-01-01')).toEqual([])
  })

  it('prints events', async () => {
    const place = createPlace()
    await place.run(['call', 'math.add', 'a=1', 'b=2'])
    const { stdout } = await place.run(['log', '--events', '--json', '--limit', '500'])
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { event_type: string })
    for (const event of events) expectRecord('tool_event', event)
    expect(events.map(({ event_type: type }) => type)).toContain('tool.declared')
    expect(events.map(({ event_type: type }) => type)).toContain('tool.result.created')
    const some = await place.run(['log', '--events', '--limit', '2', '--tool', 'math.add'])
    expect(some.stdout.trimEnd().split('\n')).toHaveLength(2)
    expect(some.stdout).toContain('result: {"sum":3}')
  })

  it('refuses invalid filters', async () => {
    const place = createPlace()
    for (const args of [
      ['--status', 'fialed'],
      ['--since', 'yesterday'],
      ['--limit', '0'],
      ['--limit', 'many'],
      ['--events', '--actor', 'ada'],
    ]) {
      const { code, stdout, stderr } = await place.run(['log', ...args])
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' })
      expect(stderr).toMatch(/\S/)
    }
  })

  it('reports that nothing was recorded, and creates nothing', async () => {
    const place = createPlace()
    const { code, stderr } = await place.run(['log'])
    expect(code).toBe(0)
    expect(stderr).toContain('Nothing was recorded yet')
    expect(existsSync(place.storeFile)).toBe(false)
  })

  it.each(['calls', 'events'])('--follow prints %s of another process', async (kind) => {
    const place = createPlace()
    expect(await place.run(['call', 'test.echo'])).toMatchObject({ code: 0 })
    const follower = place.start(['log', '--follow', ...(kind === 'events' ? ['--events'] : [])])
    const seenFirst = untilPrinted(follower, kind === 'calls' ? /test\.echo/ : /result: /)
    const seenLater = untilPrinted(follower, kind === 'calls' ? /math\.add/ : /result: {"sum":42}/)
    const ended = collect(follower)
    await seenFirst
    expect(await place.run(['call', 'math.add', 'a=40', 'b=2'])).toMatchObject({ code: 0 })
    const text = await seenLater
    if (kind === 'calls') expect(text.match(/math\.add/g)).toHaveLength(1)
    follower.kill('SIGINT')
    expect((await ended).code).toBe(130)
  })

  it('does not need the tools of the recorded calls', async () => {
    const place = createPlace()
    await place.run(['call', 'test.echo'])
    place.write('toolcrib.yaml', 'tools: [./broken.mjs]')
    place.write('broken.mjs', 'throw new Error("no")')
    expect((await place.run(['log'])).stdout).toContain('test.echo')
    expect((await place.run(['show', 'last'])).code).toBe(0)
  })
})
