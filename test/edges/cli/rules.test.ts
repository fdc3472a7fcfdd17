import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasScript, onTerminal } from './on-terminal.js'
import { createPlace, workshop } from './run-cli.js'

const PERSON = 'Only a person at a terminal'

describe('toolcrib rules', () => {
  it('names rules that match nothing here', async () => {
    const deny = [
      'notes.raed',
      'math.add(amuont > 5)',
      'math.add(domain:x.org)',
      'notes.*',
      'Read(.env)',
      'mcp__x',
    ]
    const place = createPlace(`tools: ['${workshop}']\npermission: { deny: ${JSON.stringify(deny)} }\n`)
    const { code, stderr } = await place.run(['rules'])
    const said = stderr.replaceAll(/\s+/g, ' ')
    expect(code).toBe(0)
    expect(said).toContain('no tool here is called "notes.raed"; did you mean "notes.read"?')
    expect(said).toContain('math.add has no argument "amuont"')
    expect(said).toContain('math.add declares no URL among its arguments ("urls"), so it never applies')
    expect(said.match(/the deny rule/g)).toHaveLength(3)
  })

  it('lists the rules of all sources, their positions, and their problems', async () => {
    const place = createPlace('permission:\n  deny:\n    - Read(.env)\n    - Bash(\n  allow: [math.add]\n', {
      isTrusted: false,
    })
    const { code, stdout, stderr } = await place.run(['rules', '--ask', 'notes.*', '--mode', 'plan'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^mode +plan$/m)
    expect(stdout).toMatch(/^deny +Read\(\.env\) +project_settings .*toolcrib\.yaml:3$/m)
    expect(stdout).toMatch(/^deny +Bash\( \(cannot be read\) .*:4$/m)
    expect(stdout).toMatch(/^ask +notes\.\* +cli_arg$/m)
    expect(stdout).not.toContain('math.add')
    expect(stderr).toMatch(/toolcrib\.yaml:4: the deny rule "Bash\("/)
    expect(stderr).toContain('1 setting that loosens waits for your trust: toolcrib trust')
    const json = JSON.parse((await place.run(['rules', '--json'])).stdout) as Record<string, unknown>
    expect(json).toMatchObject({
      mode: 'default',
      rules: [{ text: 'Read(.env)', source: 'project_settings', line: 3 }, { text: 'Bash(' }],
      problems: [{ line: 4 }],
      untrusted: [{ file: join(place.folder, 'toolcrib.yaml'), text: 'allow math.add' }],
    })
  })

  it('reads a named file, whatever its name, and refuses an unreadable one', async () => {
    const place = createPlace()
    const call = ['call', 'math.add', 'a=1', 'b=2', '--rules']
    for (const name of ['strict', 'strict.conf', 'strict.yaml']) {
      const rules = place.write(name, 'deny: [math.add]\n')
      expect(await place.run([...call, rules])).toMatchObject({ code: 1 })
      expect((await place.run(['rules', '--rules', rules])).stdout).toMatch(
        /^deny +math\.add +flag_settings/m,
      )
    }
    const broken = place.write('broken', 'deny: [math.add\n')
    for (const [args, sentence] of [
      [[...call, broken], /^broken:\d+: /],
      [['rules', '--rules', broken], /^broken:\d+: /],
      [['explain', 'math.add', '--rules', broken], /^broken:\d+: /],
      [[...call, 'none'], /^none: there is no such file/],
      [[...call, place.folder], /the rules in it cannot be read/],
    ] as const) {
      expect(await place.run(args)).toMatchObject({ code: 2, stderr: expect.stringMatching(sentence) })
    }
  })

  it('an unreadable file denies everything, and a call names the file and the line', async () => {
    const place = createPlace()
    place.write('toolcrib.local.yaml', 'deny: [Bash\n')
    const { code, stderr } = await place.run(['call', 'math.add', 'a=1', 'b=2'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^toolcrib\.local\.yaml:\d+: /)
    expect(stderr).toMatch(
      /toolcrib\.local\.yaml:\d+ cannot be read, so everything is denied until it is mended/,
    )
    expect(stderr).not.toContain('{}')
  })

  it('prints how to begin', async () => {
    const { code, stdout, stderr } = await createPlace('').run(['rules'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'mode  default\n' })
    expect(stderr).toContain('There are no rules yet')
  })
})

describe('toolcrib rules add and remove', () => {
  it('a rule that tightens is written at once, comments stay, and it takes effect', async () => {
    const place = createPlace()
    place.write('toolcrib.local.yaml', '# mine\nask: [math.add] # always\n')
    const { code, stderr } = await place.run(['rules', 'add', 'deny', 'math.*'])
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('Added to') })
    const text = readFileSync(join(place.folder, 'toolcrib.local.yaml'), 'utf8')
    expect(text).toBe('# mine\nask: [math.add] # always\ndeny:\n  - math.*\n')
    expect((await place.run(['call', 'math.add', 'a=1', 'b=2'])).code).toBe(1)
  })

  it.each([
    ['', 'Raed(.env)', 'no tool here is called "Raed"; did you mean "Read"?'],
    ["servers: { a: { command: 'x' } }", 'bahs', 'no tool here is called "bahs"; did you mean "Bash"?'],
    [`tools: ['${workshop}']`, 'notes.raed', 'did you mean "notes.read"?'],
    [`tools: ['${workshop}']`, 'read', undefined],
    ["servers: { a: { command: 'x' } }", 'something.else', undefined],
  ])('a rule with an unknown name is reported at once, and added: %s %s', async (config, rule, hint) => {
    const place = createPlace(`${config}\n`)
    const { code, stderr: said } = await place.run(['rules', 'add', 'deny', rule])
    const stderr = said.replaceAll(/\s+/g, ' ')
    expect(code).toBe(0)
    if (hint === undefined) expect(stderr).toMatch(/^Added to \S+ $/)
    else expect(stderr).toContain(hint)
    expect(readFileSync(join(place.folder, 'toolcrib.local.yaml'), 'utf8')).toContain(rule)
  })

  it('writes to the chosen file', async () => {
    const place = createPlace('tools: [] # none\n')
    await place.run(['rules', 'add', 'deny', 'Bash', '--to', 'project'])
    expect(readFileSync(join(place.folder, 'toolcrib.yaml'), 'utf8')).toBe(
      'tools: [] # none\npermission:\n  deny:\n    - Bash\n',
    )
    await place.run(['rules', 'add', 'ask', 'Read', '--to', 'user'])
    const user = join(place.env['XDG_CONFIG_HOME']!, 'toolcrib', 'rules.yaml')
    expect(readFileSync(user, 'utf8')).toBe('permission:\n  ask:\n    - Read\n')
  })

  it.each<[string[], string]>([
    [['add', 'allow', 'Bash'], PERSON],
    [['remove', 'deny', 'Bash'], PERSON],
    [['remove', 'ask', 'Bash'], PERSON],
    [['add', 'maybe', 'Bash'], '"maybe" is none of deny, ask, allow'],
    [['add', 'deny', 'Bash('], 'The rule "Bash(" is no rule'],
    [['add', 'deny', 'Read(a[)'], 'never closed'],
    [['add', 'deny', 'Bash', '--to', 'nowhere'], 'There is no "nowhere"'],
    [['remove', 'allow', 'Bash'], 'holds no allow rule "Bash"'],
  ])('without a terminal: %j', async (args, sentence) => {
    const place = createPlace('permission: { deny: [Bash] }\n')
    const before = readFileSync(join(place.folder, 'toolcrib.yaml'), 'utf8')
    const { code, stderr } = await place.run(['rules', ...args])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(sentence) })
    expect(readFileSync(join(place.folder, 'toolcrib.yaml'), 'utf8')).toBe(before)
    expect(existsSync(join(place.folder, 'toolcrib.local.yaml'))).toBe(false)
  })

  it('needs a config, or the user’s own file', async () => {
    const { code, stderr } = await createPlace('').run(['rules', 'add', 'deny', 'Bash'])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('use --to user') })
  })

  it('changes nothing from inside a tool call', async () => {
    const place = createPlace()
    const inside = { env: { TOOLCRIB_INVOCATION: 'inv_1' } }
    const { code, stderr } = await place.run(['rules', 'add', 'deny', 'Bash'], inside)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('inside a tool call') })
    for (const option of ['--yes', '--allow=*', '--mode=bypass', '--rules=x.yaml']) {
      const call = await place.run(['call', 'test.touch', 'path=x', 'secret=y', option], inside)
      expect({ option, code: call.code, stderr: call.stderr }).toEqual({
        option,
        code: 2,
        stderr: expect.stringContaining('inside a tool call'),
      })
    }
  })
})

describe.skipIf(!hasScript)('a person at a terminal', () => {
  it('may loosen, and the written rules need no further trust', async () => {
    const place = createPlace()
    const { code, text } = await onTerminal(place, "rules add allow 'test.touch(./made)'")
    expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('Added to') })
    expect((await place.run(['call', 'test.touch', 'path=made', 'secret=x'])).code).toBe(0)
    expect((await place.run(['rules'])).stderr).toBe('')
    expect((await onTerminal(place, "rules remove allow 'test.touch(./made)'")).code).toBe(0)
    expect((await place.run(['call', 'test.touch', 'path=made', 'secret=x'])).code).toBe(1)
  })
})
