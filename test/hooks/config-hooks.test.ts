import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createPlace, workshop } from '../edges/cli/run-cli.js'

const place = (hooks: string) => createPlace(`tools: ['${workshop}']\nhooks:\n${hooks}`)

describe('hooks of a config', () => {
  it('take part in a call, each in the folder of the config', async () => {
    const { run, write, folder } = place(`
  - id: seen
    event: pre_tool_use
    tools: [math.*]
    command: ./seen.sh
    args: [yes]
    env: { LEVEL: high }
  - id: line
    event: post_tool_use
    command: cat > "$TOOLCRIB_PROJECT/line.json"; echo "looked at" >&2; exit 2
`)
    write('seen.sh', '#!/bin/sh\necho "$1 $LEVEL" > "$TOOLCRIB_PROJECT/seen"\n')
    chmodSync(join(folder, 'seen.sh'), 0o755)
    const { code, stdout } = await run(['call', 'math.add', 'a=1', 'b=2', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      structured_content: { sum: 3 },
      toolcrib: { additional_context: ['looked at'] },
    })
    expect(readFileSync(join(folder, 'seen'), 'utf8')).toBe('yes high\n')
    expect(JSON.parse(readFileSync(join(folder, 'line.json'), 'utf8'))).toMatchObject({
      hook_event_name: 'PostToolUse',
      tool_response: { sum: 3 },
    })
    const story = await run(['show', 'last'])
    expect(story.stdout).toMatch(/hook line: adds "looked at"/)
  })

  it.each<[string, RegExp]>([
    [
      '  - id: a\n    event: pre_tool_use\n',
      /toolcrib\.yaml:3: the hook "a" needs either a "command" or a "url"/,
    ],
    [
      '  - id: a\n    event: pre_tool_use\n    command: x\n    url: http://x\n',
      /yaml:3: the hook "a" needs either a "command" or a "url"/,
    ],
    [
      '  - id: a\n    event: pre_tool_use\n    url: nowhere\n',
      /yaml:3: the HTTP hook "a" needs a "url" such as/,
    ],
    [
      '  - id: a\n    event: pre_tool_use\n    command: x\n    headers: {}\n',
      /yaml:3: the hook "a" has "headers", which only a "url" takes/,
    ],
    [
      '  - id: a\n    event: pre_tool_use\n    url: http://x\n    args: []\n',
      /yaml:3: the hook "a" has "args", which only a "command" takes/,
    ],
    [
      '  - id: a\n    event: pre_tool_use\n    command: x\n  - id: a\n    event: post_tool_use\n    command: x\n',
      /yaml:6: the hook "a" is already there; give each hook an id of its own/,
    ],
    [
      '  - id: a\n    event: pre_tool_use\n    command: x\n    when: { field: p }\n',
      /yaml:3: the hook "a" needs in "when" a "field" and one of/,
    ],
    [
      '  - id: a\n    event: post_tool_use_failure\n    command: x\n    onFailure: ask\n',
      /yaml:3: the hook "a" has an "onFailure", but a hook at post_tool_use_failure decides nothing/,
    ],
    [
      '  - id: a\n    event: post_tool_use\n    command: x\n    onFailure: ask\n',
      /yaml:3: the hook "a" has the "onFailure" "ask"; at post_tool_use it must be "deny" or "continue"/,
    ],
    [
      '  - id: a\n    event: PreToolUse\n    command: x\n',
      /yaml:4: "hooks\[0\]\.event" must be "pre_tool_use" or/,
    ],
    [
      '  - id: a\n    event: pre_tool_use\n    comand: x\n',
      /yaml:5: unknown key "comand" in hooks\[0\]; did you mean "command"\?/,
    ],
    ['  - event: pre_tool_use\n    command: x\n', /yaml:3: "hooks\[0\]" needs "id"/],
  ])('%j is reported with its line', async (hooks, sentence) => {
    const { code, stderr } = await place(hooks).run(['tools'])
    expect(code).toBe(2)
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(sentence)
  })
})

const SOME = `
  - id: luck
    event: pre_tool_use
    tools: [math.*]
    when: { field: a, equals: 13 }
    command: echo "13 is bad luck" >&2; exit 2
  - id: broken
    event: post_tool_use
    order: 1
    command: exit 1
  - id: away
    event: permission_decision
    tools: [nothing.here]
    url: http://127.0.0.1:9/
`

describe('toolcrib hooks', () => {
  it('lists them in the order in which they run, within 80 columns', async () => {
    const { code, stdout, stderr } = await place(SOME).run(['hooks'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^broken +post_tool_use +every tool +exit 1$/)
    expect(lines[1]).toMatch(/^luck +pre_tool_use +math\.\*, some inputs +echo/)
    expect(lines[2]).toMatch(/^away +permission_decision +nothing\.here \(no tool/)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('--json prints the entries and the tools that each matches', async () => {
    const { stdout } = await place(SOME).run(['hooks', '--json'])
    expect(JSON.parse(stdout)).toMatchObject([
      { id: 'broken', order: 1 },
      { id: 'luck', when: { field: 'a', equals: 13 }, matching_tools: ['math.add'] },
      { id: 'away', matching_tools: [] },
    ])
  })

  it('says if there is none', async () => {
    expect((await createPlace(`tools: ['${workshop}']`).run(['hooks'])).stderr).toContain('names no hooks')
    expect((await createPlace('').run(['hooks'])).stderr).toContain('toolcrib.yaml')
  })
})

describe('toolcrib hooks test', () => {
  it("prints the hook's answer and its effect, and calls nothing", async () => {
    const { run } = place(SOME)
    const { code, stdout } = await run([
      'hooks',
      'test',
      'luck',
      '--tool',
      'math.add',
      '--input',
      '{"a": 13}',
    ])
    expect(code).toBe(0)
    expect(stdout).toBe(
      'exit code: 2\npermission: {"behavior":"deny","message":"13 is bad luck"}\nThe call would be denied.\n',
    )
    expect((await run(['log'])).stdout).toBe('')
  })

  it('says if a real call would not reach it', async () => {
    const { run } = place(SOME)
    const other = await run(['hooks', 'test', 'luck', '--tool', 'math.add', '--input', '{"a": 1}'])
    expect(other.stdout).toContain('it would not be asked: its "when" does not hold')
    const elsewhere = await run(['hooks', 'test', 'luck', '--tool', 'notes.write', '--input', '{"a": 13}'])
    expect(elsewhere.stdout).toContain('it would not be asked: it does not speak of notes.write')
  })

  it('a failing hook ends with 1, and its effect is printed', async () => {
    const { run } = place(SOME)
    const { code, stdout } = await run(['hooks', 'test', 'broken'])
    expect(code).toBe(1)
    expect(stdout).toContain('The hook "broken" failed: it ended with exit code 1.')
    expect(stdout).toContain('its result would tell of the problem')
    const asJson = await run(['hooks', 'test', 'away', '--json'])
    expect(asJson.code).toBe(1)
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      hook_id: 'away',
      ok: false,
      problem: expect.stringContaining('ECONNREFUSED') as string,
    })
  })

  it('reports an unknown name', async () => {
    const { code, stderr } = await place(SOME).run(['hooks', 'test', 'lukc'])
    expect(code).toBe(2)
    expect(stderr).toContain('There is no hook "lukc"; did you mean "luck"?')
  })
})
