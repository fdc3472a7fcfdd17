import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createPlace } from './run-cli.js'

const lines = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('toolcrib explain', () => {
  it('judges an unknown tool by its name, and says so', async () => {
    const { code, stdout, stderr } = await createPlace().run(['explain', 'notes.wirte', 'path=x'])
    expect({ code, says: stdout.startsWith('ask notes.wirte') }).toEqual({ code: 0, says: true })
    expect(stderr).toContain('There is no tool "notes.wirte" here')
    expect(stderr).toContain('Did you mean "notes.write"?')
    expect((await createPlace('').run(['explain', 'Bsh', 'command=ls'])).stderr).toContain(
      'Did you mean "Bash"?',
    )
  })

  it('prints the decision about a call, its rule, and what would change it', async () => {
    const place = createPlace('')
    const { code, stdout, stderr } = await place.run([
      'explain',
      'Read',
      'file_path=.env',
      '--deny',
      'Read(.env)',
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^deny files\.read\n/)
    expect(stdout).toMatch(/^rule +deny Read\(\.env\) \(cli_arg\)$/m)
    expect(stdout).toMatch(/^path .*\.env$/m)
    expect(stdout).toMatch(/would have to be removed/)
  })

  it('uses the tools of the config and the rules of every file, with their positions', async () => {
    const place = createPlace()
    place.write('toolcrib.local.yaml', '# mine\nask:\n  - math.add(a > 5)\n')
    mkdirSync(join(place.env['XDG_CONFIG_HOME']!, 'toolcrib'), { recursive: true })
    writeFileSync(
      join(place.env['XDG_CONFIG_HOME']!, 'toolcrib', 'rules.yaml'),
      'deny: [math.add(a > 100)]\n',
    )
    const explain = async (a: string) => {
      const { stdout, code } = await place.run(['explain', 'add', `a=${a}`, 'b=1', '--json'])
      expect(code).toBe(0)
      return JSON.parse(stdout) as Record<string, unknown>
    }
    expect(await explain('1')).toMatchObject({ tool_id: 'math.add', behavior: 'allow', rule_refs: [] })
    expect(await explain('6')).toMatchObject({
      behavior: 'ask',
      source: 'local_settings',
      winning_rule: { text: 'math.add(a > 5)', line: 3, file: join(place.folder, 'toolcrib.local.yaml') },
      considered: [{ matched: 'no' }, { matched: 'yes' }],
    })
    expect(await explain('101')).toMatchObject({ behavior: 'deny', source: 'user_settings' })
  })

  it('answers each line of stdin with one line, and continues after an invalid one', async () => {
    const place = createPlace('')
    const rules = place.write(
      'rules.json',
      JSON.stringify({
        permissions: {
          deny: ['Read(.env)'],
          allow: ['Edit(./src/**)', { rule: 'Write', when: { actor: 'ann' } }],
        },
      }),
    )
    mkdirSync(join(place.folder, 'src'))
    writeFileSync(join(place.folder, '.env'), '')
    symlinkSync('../.env', join(place.folder, 'src', 'link'))
    const calls = [
      { tool: 'Read', input: { file_path: '.env' } },
      { tool: 'Read', input: { file_path: 'src/link' } },
      { tool: 'Edit', input: { file_path: 'src/a.ts' } },
      { tool: 'Edit', input: { file_path: 'src/link' } },
      { tool: 'Edit', input: { file_path: 'a.ts' }, cwd: join(place.folder, 'src') },
      { tool: 'Write', input: { file_path: 'b' }, actor: 'ann' },
      { tool: 'Write', input: { file_path: 'b' }, actor: 'bob' },
      { tool: 'Write', input: { file_path: 'b' }, mode: 'bypass' },
      { tool: 'Read', input: { file_path: 'a\0b' } },
      { input: {} },
      { tool: 'Read', mode: 'fast' },
    ]
    const input = [...calls.map((call) => JSON.stringify(call)), 'no json', '[]'].join('\n')
    const { code, stdout } = await place.run(['explain', '--jsonl', '--rules', rules], { input })
    expect(code).toBe(1)
    expect(lines(stdout).map(({ behavior, error }) => behavior ?? error)).toEqual([
      'deny',
      'deny',
      'allow',
      'ask',
      'allow',
      'allow',
      'ask',
      'allow',
      'allow',
      expect.stringContaining('Line 10 names no tool'),
      expect.stringContaining('Line 11 has the mode "fast"'),
      expect.stringContaining('Line 12 is not JSON'),
      expect.stringContaining('Line 13 is not an object'),
    ])
    expect(lines(stdout)[0]).toMatchObject({
      tool: 'Read',
      reads: [join(place.folder, '.env')],
      is_read_only: true,
    })
  })

  it.each([
    [['explain'], 'Name a tool'],
    [['explain', 'Read', '--mode', 'fast'], 'There is no mode "fast"'],
    [['explain', 'Read', '--rules', 'none.yaml'], 'there is no such file'],
    [['explain', 'Read', '--jsonl'], 'With --jsonl'],
    [['explain', 'Read', '--input', '{'], 'JSON'],
  ])('%j prints one sentence', async (args, sentence) => {
    const { code, stdout, stderr } = await createPlace('').run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(sentence)
  })

  it('names rules that cannot be read, and counts them as denies', async () => {
    const place = createPlace('')
    const rules = place.write('rules.yaml', 'deny:\n  - Read(a[)\nallow: [Bash, Bash(]\n')
    const { stdout, stderr } = await place.run(['explain', 'Read', 'file_path=x', '--rules', rules])
    expect(stdout).toMatch(/^deny files\.read/)
    expect(stderr).toMatch(/rules\.yaml:2: the deny rule "Read\(a\[\)"/)
    expect(stderr).toMatch(/rules\.yaml:3: the allow rule "Bash\("/)
  })
})
