import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judge } from '../../src/policy/judge.js'
import { parseRule } from '../../src/policy/rules/parse-rule.js'
import { readRules } from '../../src/policy/rules/read-rules.js'
import {
  behaviorOf,
  bookOf,
  callOf,
  fetchTool,
  HOME,
  part,
  READS,
  readTool,
  reading,
  rulesOf,
  running,
  setOf,
  shellTool,
  toolOf,
  touching,
  WORK,
} from './rule-fixtures.js'

const PLACE = { behavior: 'deny', source: 'user_settings', base: WORK } as const
const anyCall = callOf(toolOf('math.add'), { facts: READS })
const readCall = (path: string) => callOf(readTool, { facts: READS, touched: reading(path) })

describe('a rule as text', () => {
  it.each([
    ['Bash', 'Bash', undefined],
    [' files.read ', 'files.read', undefined],
    ['files.read(./src/**)', 'files.read', './src/**'],
    ['Bash (git status)', 'Bash', 'git status'],
    ['Bash( git status )', 'Bash', 'git status'],
    ['Bash(echo (a) (b))', 'Bash', 'echo (a) (b)'],
    ['mcp__github__*', 'mcp__github__*', undefined],
  ])('%s', (text, tool, specifier) => {
    expect(parseRule(text, PLACE)).toMatchObject({ tool, specifier, problem: undefined })
  })

  it('with a star in brackets means the same as without brackets', () => {
    expect(parseRule('Bash(*)', PLACE).specifier).toBeUndefined()
  })

  it.each(['', '(x)', 'Bash()', 'Bash(x', 'Bash(x) y', 'Bash, Read', '"Bash"', '- Bash', 'a{b}'])(
    '%j cannot be read, and says so',
    (text) => {
      expect(parseRule(text, PLACE).problem).toEqual(expect.any(String))
    },
  )

  it('keeps the readable part of the tool name, and otherwise may match any', () => {
    expect(parseRule('Bash(x', PLACE).tool).toBe('Bash')
    expect(parseRule('Bash git status', PLACE).tool).toBe('Bash')
    for (const text of ['Bash, Read', '(x)', '{}', '"Bash"']) expect(parseRule(text, PLACE).tool).toBe('*')
  })
})

describe('an unreadable rule', () => {
  it('is reported with its file and line, and the others work', () => {
    const lines: Readonly<Record<string, number>> = { 'deny,0': 3, 'deny,1': 4, 'allow,0': 7 }
    const set = readRules(
      { deny: ['Bash(', 'files.read(.env)'], allow: ['Read([)'] },
      {
        source: 'local_settings',
        base: WORK,
        file: 'rules.yaml',
        locate: (path) => ({ line: lines[path.join()]! }),
      },
      { home: HOME },
    )
    expect(set.problems).toEqual([
      {
        file: 'rules.yaml',
        line: 3,
        message: expect.stringMatching(/deny rule "Bash\(" .* denied until it is mended/),
      },
      {
        file: 'rules.yaml',
        line: 7,
        message: expect.stringMatching(/allow rule "Read\(\[\)" .*it allows nothing/),
      },
    ])
    expect(set.rules.map(({ text, line }) => [text, line])).toEqual([
      ['Bash(', 3],
      ['files.read(.env)', 4],
      ['Read([)', 7],
    ])
  })

  it.each(['deny', 'ask'] as const)('in the list %s denies everything that it may have meant', (list) => {
    const rules = { [list]: ['files.read([)'] }
    expect(behaviorOf(rules, readCall('/anywhere'))).toBe('deny')
    expect(behaviorOf(rules, anyCall)).toBe('allow')
    // If it could be read, it would match every tool that reads such a file.
    const cat = running({ commands: [part('cat x', { isReadOnly: true })], paths: reading('/x').paths })
    expect(behaviorOf(rules, callOf(shellTool, { facts: READS, touched: cat }))).toBe('deny')
  })

  it('about a domain denies every host', () => {
    const rules = { deny: ['WebFetch(domain:http://x y)'] }
    const call = callOf(toolOf('other.get', { fields: fetchTool.fields }), {
      touched: touching({ hosts: ['a.org'] }),
    })
    expect(behaviorOf(rules, call)).toBe('deny')
  })

  it.each([[{}], [null], [7], [{ when: { actor: 'ann' } }], [['Bash']], [{ rule: 7 }]])(
    'and names no tool denies everything: %j',
    (entry) => {
      expect(behaviorOf({ deny: [entry] }, anyCall)).toBe('deny')
      expect(behaviorOf({ ask: [entry] }, anyCall)).toBe('deny')
      expect(behaviorOf({ allow: [entry] }, callOf(toolOf('math.add')))).toBe('ask')
    },
  )

  it('in the allow list allows nothing and denies nothing', () => {
    const bad = { rule: 'files.read(./src/**)', match: ['docs/a.md'] }
    expect(setOf({ allow: [bad] }).problems).toHaveLength(1)
    expect(behaviorOf({ allow: [bad] }, readCall(`${WORK}/src/a.ts`))).toBe('allow')
    const writes = callOf(readTool, { touched: reading(`${WORK}/src/a.ts`) })
    expect(behaviorOf({ allow: [bad] }, writes)).toBe('ask')
  })

  it('names its unknown field', () => {
    const { problems } = setOf({ deny: [{ rule: 'Bash', wenn: {} }] })
    expect(problems[0]?.message).toContain('has the field "wenn"')
  })
})

describe('a block of rules', () => {
  it('whose list is invalid denies everything until it is fixed', () => {
    const set = readRules({ deny: 'Bash' }, { source: 'user_settings', base: WORK }, { home: HOME })
    expect(set.problems[0]?.message).toContain('"deny" must be a list')
    expect(set.rules).toMatchObject([{ tool: '*', behavior: 'deny' }])
  })

  it('with an unknown key is reported: a misspelt list would be ignored', () => {
    const set = readRules(
      { denny: ['Bash'], $schema: 'x' },
      { source: 'user_settings', base: WORK },
      { home: HOME },
    )
    expect(set.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('did you mean "deny"?'),
    ])
  })

  it.each([['plna'], [7], [['plan']]])(
    'with the mode %j is in the strictest mode until that is mended',
    (mode) => {
      const set = setOf({ mode })
      expect(set.mode).toBe('plan')
      expect(set.problems[0]?.message).toContain('there is no mode')
    },
  )

  it("accepts other agents' names for modes and folders", () => {
    const set = readRules(
      { defaultMode: 'bypassPermissions', additionalDirectories: ['../docs'] },
      { source: 'user_settings', base: WORK },
      { home: HOME },
    )
    expect(set).toMatchObject({ mode: 'bypass', workingDirectories: ['.', '../docs'], problems: [] })
  })

  it('whose folders are unreadable uses its own folder', () => {
    const set = setOf({ working_directories: [7] })
    expect(set.workingDirectories).toEqual(['.'])
    expect(set.problems).toHaveLength(1)
  })

  it('keeps source, file and line of each rule, and two rules with other conditions apart', () => {
    const rules = rulesOf(
      { ask: [{ rule: 'Bash', when: { actor: 'ann' } }, { rule: 'Bash', when: { actor: 'bob' } }, 'Bash'] },
      'project_settings',
    )
    expect(new Set(rules.map(({ ref }) => ref)).size).toBe(3)
    for (const { ref, source } of rules) {
      expect(source).toBe('project_settings')
      expect(ref).toMatch(/^rule:project_settings:ask:Bash/)
    }
  })
})

describe('examples of a rule', () => {
  const problemsOf = (entry: object): string[] =>
    setOf({ deny: [entry] }).problems.map(({ message }) => message)

  it('pass if the rule does what they say', () => {
    expect(problemsOf({ rule: 'files.read(./src/**)', match: ['src/a.ts'], not_match: 'docs/a.md' })).toEqual(
      [],
    )
    expect(
      problemsOf({
        rule: 'WebFetch(domain:*.x.org)',
        match: ['https://a.x.org/y'],
        not_match: ['https://x.org'],
      }),
    ).toEqual([])
    expect(
      problemsOf({ rule: 'pay(amount > 100)', match: [{ amount: 101 }], not_match: [{ amount: 100 }] }),
    ).toEqual([])
  })

  it('that fail are reported, and the rule still denies what it names and nothing else', () => {
    const entry = { rule: 'files.read(./src/**)', match: ['docs/a.md'] }
    expect(problemsOf(entry)).toEqual([expect.stringContaining('does not match its example "docs/a.md"')])
    expect(problemsOf({ ...entry, match: [], not_match: ['src/a.ts'] })).toEqual([
      expect.stringContaining('matches "src/a.ts", which it must not'),
    ])
    expect(behaviorOf({ ask: [entry] }, readCall(`${WORK}/src/a.ts`))).toBe('deny')
    expect(behaviorOf({ ask: [entry] }, readCall(`${WORK}/docs/a.md`))).toBe('allow')
  })

  it('do not depend on the caller', () => {
    const when = { actor: 'ann', risk: 'high', mode: 'auto' }
    expect(problemsOf({ rule: 'files.read(.env)', when, match: ['.env'], not_match: ['env'] })).toEqual([])
  })

  it('that cannot be tested prove nothing', () => {
    expect(problemsOf({ rule: 'pay', match: ['much'] })).toHaveLength(1)
  })
})

describe('with any content of a file', () => {
  const odd = fc.string({
    unit: fc.constantFrom(
      ...'ab.*?[]!^-\\/~:()<>= "\',$#@%{}|&;\n\u0000é',
      '//',
      '**',
      '://',
      'in',
      'and',
      'sha256',
    ),
    maxLength: 12,
  })
  const tool = fc.constantFrom('Bash', 'Read', 'files.*', 'WebFetch', '*', 'mcp__x')
  const prefix = fc.constantFrom('', 'path:', 'domain:', 'url:', 'command:', 'arg:', 'operation:')
  const text = fc.oneof(
    fc.tuple(tool, prefix, odd).map(([name, start, rest]) => `${name}(${start}${rest})`),
    odd,
  )
  const entry = fc.oneof(
    { weight: 6, arbitrary: text },
    {
      weight: 2,
      arbitrary: fc.record({ rule: text, when: fc.anything(), match: fc.anything() }, { requiredKeys: [] }),
    },
    { weight: 1, arbitrary: fc.anything() },
  )
  const list = fc.oneof(
    { weight: 6, arbitrary: fc.array(entry, { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.anything() },
  )
  const block = fc.record(
    {
      deny: list,
      ask: list,
      allow: list,
      waivers: fc.anything(),
      mode: fc.anything(),
      working_directories: fc.anything(),
    },
    { requiredKeys: [] },
  )
  const calls = [
    callOf(shellTool, {
      touched: running({ commands: [part('rm -r x'), part('cat $X', { isLiteral: false })] }),
    }),
    readCall('/work/project/a[b]/.env'),
    callOf(fetchTool, { touched: touching({ hosts: ['x.org'], urls: ['https://x.org/'] }), input: { a: 1 } }),
  ]

  it('reading and judging never throw, and an unreadable deny or ask is always reported', () => {
    fc.assert(
      fc.property(block, (given) => {
        const set = readRules(given, { source: 'user_settings', base: WORK }, { home: HOME })
        const book = bookOf(set.rules)
        for (const call of calls) expect(['allow', 'ask', 'deny']).toContain(judge(book, call).behavior)
        const bad = set.rules.filter(({ problem }) => problem !== undefined)
        expect(set.problems.length).toBeGreaterThanOrEqual(bad.length)
      }),
      { numRuns: 500 },
    )
  })
})
