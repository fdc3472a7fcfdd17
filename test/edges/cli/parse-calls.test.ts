import { describe, expect, it } from 'vitest'
import { batchPolicyFor } from '../../../src/edges/cli/batch/batch-policy-for.js'
import type { GivenOptions } from '../../../src/edges/cli/program/command.js'
import { parseCalls } from '../../../src/edges/cli/batch/parse-calls.js'
import { isUsageProblem } from '../../../src/edges/cli/program/usage-problem.js'

const good = { name: 'math.add', input: { a: 1, b: 2 } }
const lines = (...each: unknown[]): string => each.map((line) => JSON.stringify(line)).join('\n')

/** The error of a file, as one sentence. */
function saidOf(content: unknown, options: GivenOptions = {}): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  try {
    const { policy } = parseCalls(text, 'calls.json')
    batchPolicyFor(policy, 'calls.json', options)
  } catch (error) {
    if (isUsageProblem(error)) return error.message
    throw error
  }
  return ''
}

describe('a file of calls', () => {
  it('is one call, a list, an object or lines', () => {
    const call = { call: good, after: [] }
    for (const text of [
      JSON.stringify(good),
      JSON.stringify([good]),
      JSON.stringify({ calls: [good] }),
      `\uFEFF${JSON.stringify(good, null, 2)}\n`,
      `\n${lines(good)}\r\n\n`,
    ])
      expect(parseCalls(text, 'calls.json')).toEqual({ calls: [call], policy: undefined })
    expect(parseCalls(lines(good, good), 'stdin').calls).toEqual([call, call])
  })

  it('resolves the dependencies of each call', () => {
    const calls = [
      { ...good, id: 'a' },
      { ...good, native_call_id: 'b', depends_on: ['a'] },
      { ...good, dependsOn: [0, 'b'] },
    ]
    expect(parseCalls(JSON.stringify(calls), 'calls.json').calls.map(({ after }) => after)).toEqual([
      [],
      [0],
      [0, 1],
    ])
  })

  it.each<[content: unknown, said: RegExp]>([
    ['', /^calls\.json is empty/],
    [' \n', /^calls\.json is empty/],
    ['nope', /^calls\.json is not valid JSON \(see line 1, column 1\); nothing was called\.$/],
    ['7', /neither a list nor an object/],
    ['[\n  {"name": "math.add",\n  "input": hunter22}]', /not valid JSON \(see line 3, column 12\)/],
    [`${lines(good)}\n{"name": hunter22}`, /^Line 2 of calls\.json is not valid JSON \(see column 10\)/],
    [`${lines(good)}\n\n${lines(7)}`, /^Line 3 of calls\.json is not an object/],
    [[good, {}], /^Call 2 of calls\.json names no tool/],
    [[{ name: '' }], /^Call 1 of calls\.json names no tool/],
    [[good, [good]], /^Call 2 of calls\.json is not an object/],
    [[{ tool: 'math.add' }], /field "tool".*did you mean "name"\?/],
    [[{ name: 'math.add', arguments: {} }], /field "arguments".*did you mean "input"\?/],
    [[{ ...good, depend_on: [] }], /field "depend_on".*did you mean "depends_on"\?/],
    [[{ ...good, colour: 1 }], /a call has name, input, id, depends_on, native_call_id, timeout_ms\./],
    [[{ ...good, timeout_ms: 0 }], /"timeout_ms" must be a number above 0/],
    [[{ ...good, id: 7 }], /"id" must be a text/],
    [[{ ...good, dependsOn: 'x' }], /"depends_on" must be a list of earlier calls/],
    [[{ ...good, timeout_ms: 1, timeoutMs: 1 }], /in both spellings/],
    [[good, { ...good, depends_on: ['later'] }], /^Call 2 of calls\.json: .*"later"/],
    [[{ ...good, depends_on: [0] }], /^Call 1 of calls\.json: .*which is no call before it/],
    [lines({ ...good, id: 'a' }, { ...good, id: 'a' }), /^Line 2 of calls\.json: .*the id "a"/],
    [[{ type: 'message', name: 'math.add' }], /has a type that is not known/],
    [[{ type: 'function', id: 'x' }], /has no "function" with name and arguments/],
    [[{ type: 'function', function: {} }], /names no tool/],
    [[{ type: 'tool_use', id: 7, name: 'math.add' }], /"native_call_id" must be a text/],
    [{ calls: good }, /^"calls" in calls\.json must be a list/],
    [{ calls: [good], polcy: {} }, /did you mean "policy"\?/],
    [{ calls: [good], policy: 7 }, /^The policy in calls\.json takes an object/],
    [{ calls: [good], policy: { max_paralel: 2 } }, /did you mean "max_parallel"\?/],
    [{ calls: [good], policy: { ordering_policy: 'seriall' } }, /did you mean "serial"\?/],
    [{ calls: [good], policy: { toolcrib: 7 } }, /has no option "toolcrib"/],
  ])('reports in one sentence what is wrong with %j', (content, said) => {
    const sentence = saidOf(content)
    expect(sentence).toMatch(said)
    expect(sentence).toMatch(/^.*[.?]$/)
    expect(sentence).not.toContain('hunter22')
  })

  it.each<[options: GivenOptions, said: RegExp]>([
    [{ maxParallel: '0' }, /^--max-parallel takes a whole number above 0, not "0"\.$/],
    [{ maxParallel: '1.5' }, /^--max-parallel/],
    [{ timeout: 'soon' }, /^--timeout takes a whole number above 0, not "soon"\.$/],
    [{ onFailure: 'cry' }, /^--on-failure takes ignore, cancel-siblings, cancel-dependent, not "cry"\.$/],
    [{ serial: true, unordered: true }, /^Use --serial or --unordered, not both/],
  ])('reports what is wrong with the options %j', (options, said) => {
    expect(saidOf([good], options)).toMatch(said)
  })
})
