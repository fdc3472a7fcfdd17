import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collect, createPlace, expectRecord, untilPrinted, type Place, type Ran } from './run-cli.js'

const add = (a: number, b: number) => ({ name: 'math.add', input: { a, b } })
const slow = (to: number, stepMs: number) => ({ name: 'slow.count', input: { to, stepMs } })

/** Writes the calls into a file and runs them. */
function batch(place: Place, content: unknown, ...options: string[]): Promise<Ran> {
  place.write('calls.json', typeof content === 'string' ? content : JSON.stringify(content))
  return place.run(['batch', 'calls.json', ...options])
}

interface Printed {
  batch_id: string
  policy: Record<string, unknown>
  results: { status: string; error?: { error_class: string }; structured_content?: unknown }[]
}

async function batchJson(place: Place, content: unknown, ...options: string[]): Promise<Printed> {
  return JSON.parse((await batch(place, content, ...options, '--json')).stdout) as Printed
}

const SUMS = '✓ 1 math.add  succeeded\n{"sum":3}\n\n✓ 2 math.add  succeeded\n{"sum":7}\n'

describe('toolcrib batch: input', () => {
  it('takes a list, an object with calls, and one call per line, from a file or from stdin', async () => {
    const place = createPlace()
    const calls = [add(1, 2), add(3, 4)]
    const lines = `\n${JSON.stringify(calls[0])}\r\n\n${JSON.stringify(calls[1])}\n`
    const good = { code: 0, stdout: SUMS, stderr: '' }
    expect(await batch(place, calls)).toEqual(good)
    expect(await batch(place, JSON.stringify({ calls }, null, 2))).toEqual(good)
    expect(await batch(place, lines)).toEqual(good)
    expect(await place.run(['batch', '-'], { input: `\uFEFF${JSON.stringify(calls)}` })).toEqual(good)
    expect(await place.run(['batch', '-'], { input: lines })).toEqual(good)
    const one = place.write('one.jsonl', JSON.stringify(add(1, 2)))
    expect((await place.run(['batch', one])).stdout).toBe('✓ 1 math.add  succeeded\n{"sum":3}\n')
    expect(await batch(place, [])).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('takes both spellings of a field, and calls as providers write them', async () => {
    const place = createPlace()
    const text = JSON.stringify({ a: 1, b: 2 })
    const ran = await batch(place, [
      { ...add(1, 2), id: 'first', native_call_id: 'n1', timeout_ms: 1_000 },
      { ...add(1, 2), dependsOn: ['first', 0], nativeCallId: 'n2', timeoutMs: 1_000 },
      { id: 'n3', type: 'function', function: { name: 'math.add', arguments: text } },
      { id: 'fc_1', type: 'function_call', call_id: 'n4', name: 'math.add', arguments: text, status: 'done' },
      { type: 'tool_use', id: 'n5', name: 'math.add', input: { a: 1, b: 2 }, cache_control: null },
      { ...add(1, 2), depends_on: ['n5'] },
    ])
    expect(ran.code).toBe(0)
    expect(ran.stdout.match(/{"sum":3}/g)).toHaveLength(6)
    const { stdout } = await place.run(['log', '--json'])
    const ids = stdout.match(/"native_call_id":"\w+"/g)?.map((each) => each.slice(18, -1))
    expect(ids?.toSorted()).toEqual(['n1', 'n2', 'n3', 'n4', 'n5'])
  })

  it('a mistake of a model in its arguments is the result of that call', async () => {
    const { code, stdout } = await batch(createPlace(), [
      { id: 'n1', type: 'function', function: { name: 'math.add', arguments: '{"a": 1, ' } },
      add(1, 2),
      { name: 'math.ad' },
    ])
    expect(code).toBe(1)
    expect(stdout).toContain('✗ 1 math.add  refused\n')
    expect(stdout).toContain('✓ 2 math.add  succeeded\n{"sum":3}\n')
    expect(stdout).toMatch(/✗ 3 math\.ad {2}failed\n.*math\.add/)
  })

  it('refuses an invalid file before anything runs, without repeating its content', async () => {
    const place = createPlace()
    const wrong: [content: unknown, options: string[], said: RegExp][] = [
      ['[{"name": hunter22}]', [], /^calls\.json is not valid JSON \(see line 1, column 11\); nothing/],
      [[add(1, 2), {}], [], /^Call 2 of calls\.json names no tool/],
      [{ calls: [], policy: { max_paralel: 2 } }, [], /^The policy in calls\.json.*"max_parallel"\?/],
      [[add(1, 2)], ['--max-parallel', '0'], /^--max-parallel takes a whole number above 0, not "0"\./],
    ]
    for (const [content, options, said] of wrong) {
      const { code, stdout, stderr } = await batch(place, content, ...options)
      expect({ content, code, stdout }).toEqual({ content, code: 2, stdout: '' })
      expect(stderr).toMatch(said)
      expect(stderr).not.toContain('hunter22')
    }
    expect((await place.run(['batch', 'nowhere.json'])).stderr).toBe(
      'nowhere.json cannot be read: there is no such file.\n',
    )
    expect((await place.run(['batch'])).code).toBe(2)
    expect(existsSync(place.storeFile), 'nothing was called').toBe(false)
  })

  it('needs a config, as every command that makes calls', async () => {
    const { code, stderr } = await batch(createPlace(''), [add(1, 2)])
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('toolcrib.yaml') })
  })
})

describe('toolcrib batch: output', () => {
  it('prints the results in the order of the calls, failures among them', async () => {
    const { code, stdout, stderr } = await batch(createPlace(), [
      slow(2, 50),
      { name: 'test.fail' },
      add(1, 2),
      { name: 'test.rude' },
    ])
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toBe(
      [
        '✓ 1 slow.count  succeeded\nCounted to 2.\n',
        '✗ 2 test.fail  failed\nThe drill is broken.\n',
        '✓ 3 math.add  succeeded\n{"sum":3}\n',
        '✓ 4 test.rude  succeeded\nbefore\u001B]0;title\u0007after\tend\nnext\n',
      ].join('\n'),
    )
  })

  it('prints a result before later calls have ended', async () => {
    const place = createPlace()
    place.write('calls.json', JSON.stringify([add(1, 2), { name: 'test.wait', input: { path: 'go' } }]))
    const child = place.start(['batch', 'calls.json'])
    const ended = collect(child)
    await untilPrinted(child, /{"sum":3}/)
    place.write('go', '')
    expect(await ended).toMatchObject({ code: 0, stdout: expect.stringContaining('go is there') })
  })

  it('--json prints one object of valid records', async () => {
    const printed = await batchJson(createPlace(), {
      calls: [add(1, 2), { name: 'test.fail' }],
      policy: { max_parallel: 3, timeout_ms: 60_000 },
    })
    expect(printed.batch_id).toMatch(/^batch_/)
    expectRecord('tool_scheduler_policy', printed.policy)
    expect(printed.policy).toMatchObject({ max_parallel: 3, toolcrib: { timeout_ms: 60_000 } })
    for (const result of printed.results) expectRecord('tool_result', result)
    expect(printed.results.map(({ status }) => status)).toEqual(['succeeded', 'failed'])
  })

  it('reads the policy that it printed, and options override it', async () => {
    const place = createPlace()
    const calls = [add(1, 2)]
    const { policy } = await batchJson(place, { calls, policy: { max_parallel: 3, timeout_ms: 60_000 } })
    expect((await batchJson(place, { calls, policy })).policy).toEqual(policy)
    const flags = ['--max-parallel', '2', '--serial', '--timeout', '5000', '--on-failure', 'cancel-siblings']
    expect((await batchJson(place, { calls, policy }, ...flags)).policy).toMatchObject({
      max_parallel: 2,
      ordering_policy: 'serial',
      sibling_failure_policy: 'cancel_siblings',
      toolcrib: { timeout_ms: 5_000 },
    })
  })

  it('--jsonl prints events and results, in the order of the policy', async () => {
    const place = createPlace()
    const calls = [{ name: 'test.wait', input: { path: 'go' } }, add(1, 2)]
    const items = async (...options: string[]): Promise<{ kind: string; index: number }[]> => {
      place.write('calls.json', JSON.stringify(calls))
      const child = place.start(['batch', 'calls.json', '--jsonl', ...options])
      const ended = collect(child)
      await untilPrinted(child, options.length > 0 ? /"kind":"result"/ : /invocation\.started/)
      place.write('go', '')
      const { stdout } = await ended
      return stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { kind: string; index: number; event: object; result: object })
        .filter(({ kind, event, result }) => {
          expectRecord(kind === 'event' ? 'tool_event' : 'tool_result', event ?? result)
          return kind === 'result'
        })
    }
    expect((await items()).map(({ index }) => index)).toEqual([0, 1])
    rmSync(join(place.folder, 'go'))
    expect((await items('--unordered')).map(({ index }) => index)).toEqual([1, 0])
  })

  it('prints each change only with --verbose where there is no terminal', async () => {
    const place = createPlace()
    const calls = [
      { ...slow(2, 1), id: 'slow' },
      { ...add(1, 2), depends_on: ['slow'] },
    ]
    expect((await batch(place, calls)).stderr).toBe('')
    const { stderr } = await batch(place, calls, '--verbose')
    const said = ['1 slow.count: running', '1 slow.count: 50 % counted 1 of 2', '1 slow.count: succeeded']
    for (const line of [...said, '2 math.add: queued after 1', '2 math.add: succeeded'])
      expect(stderr.split('\n')).toContain(line)
    expect(stderr).toMatch(/\n2 succeeded · [\d.]+ m?s\n$/)
    expect(stderr).not.toContain('\u001B')
  })
})

describe('toolcrib batch: how calls end', () => {
  it('a failure cancels the calls that the policy names', async () => {
    const place = createPlace()
    const calls = [{ name: 'test.fail', id: 'first' }, { ...add(1, 2), depends_on: ['first'] }, add(3, 4)]
    const statuses = async (...options: string[]): Promise<(string | undefined)[]> =>
      (await batchJson(place, calls, ...options)).results.map(({ error }) => error?.error_class)
    expect(await statuses()).toEqual(['execution_failed', undefined, undefined])
    expect(await statuses('--on-failure', 'cancel-dependent')).toEqual([
      'execution_failed',
      'sibling_canceled',
      undefined,
    ])
    const { stdout } = await batch(place, calls, '--on-failure', 'cancel_siblings')
    expect(stdout).toMatch(
      /■ 2 math\.add {2}canceled\nThe call did not run: a call beside it failed \(inv_\w+\)\.\n/,
    )
  })

  it('--timeout ends all running calls', async () => {
    const { code, stdout } = await batch(createPlace(), [add(1, 2), slow(1000, 50)], '--timeout', '1500')
    expect(code).toBe(1)
    expect(stdout).toContain('✓ 1 math.add  succeeded')
    expect(stdout).toMatch(/✗ 2 slow\.count {2}timed out\n.*ran out of time/)
  })

  it('runs in the session that is named', async () => {
    const place = createPlace()
    await batch(place, [add(1, 2), add(1, 2)], '--session', 'monday')
    await batch(place, [add(1, 2)])
    const { stdout } = await place.run(['log', '--session', 'monday', '--json'])
    expect(stdout.trimEnd().split('\n')).toHaveLength(2)
  })

  it('a call that needs approval is rejected without an approver, and runs with --yes', async () => {
    const place = createPlace()
    const calls = [{ name: 'test.touch', input: { path: 'made', secret: 'hunter22' } }, add(1, 2)]
    const refused = await batch(place, calls)
    expect(refused.code).toBe(1)
    expect(refused.stdout).toMatch(/⊘ 1 test\.touch {2}denied\n.*Use --yes to approve it\.\n/)
    expect(existsSync(join(place.folder, 'made'))).toBe(false)
    expect((await batch(place, calls, '--yes')).code).toBe(0)
    expect(existsSync(join(place.folder, 'made'))).toBe(true)
    expect((await batch(place, calls, '--yes', '--deny', 'test.touch')).stdout).toContain('⊘ 1 test.touch')
  })

  it('rules and --yes have no effect inside a tool call', async () => {
    const place = createPlace()
    place.write('calls.json', JSON.stringify([add(1, 2)]))
    const { code, stderr } = await place.run(['batch', 'calls.json', '--yes'], {
      env: { TOOLCRIB_INVOCATION: 'inv_1' },
    })
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('inside a tool call') })
  })

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends also what Ctrl-C would let run on', async (signal, code) => {
    const place = createPlace()
    place.write('calls.json', JSON.stringify([add(1, 2), { name: 'test.wait', input: { path: 'never' } }]))
    const child = place.start(['batch', 'calls.json'])
    const ended = collect(child)
    await untilPrinted(child, /{"sum":3}/)
    child.kill(signal)
    expect(await ended).toMatchObject({
      code,
      stdout: expect.stringContaining('■ 2 test.wait  canceled'),
    })
  })

  it('a signal cancels what can be interrupted, and the results are still printed in order', async () => {
    const place = createPlace()
    place.write('calls.json', JSON.stringify([add(1, 2), slow(1000, 20), slow(1000, 20)]))
    const child = place.start(['batch', 'calls.json', '--verbose'])
    const ended = collect(child)
    await untilPrinted(child, /3 slow\.count: \d+ %/)
    child.kill('SIGINT')
    const { code, stdout } = await ended
    expect(code).toBe(130)
    const headings = stdout.split('\n').filter((line) => /^\S \d/.test(line))
    expect(headings).toEqual([
      '✓ 1 math.add  succeeded',
      '■ 2 slow.count  canceled',
      '■ 3 slow.count  canceled',
    ])
  })
})
