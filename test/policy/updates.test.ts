import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { defineTool, memoryStore, sqliteStore, type Crib, type CribOptions } from 'toolcrib'
import type { RuleUpdate } from '../../src/policy/rules/rule-update.js'
import { changeRuleFile } from '../../src/policy/files/change-rule-file.js'
import { editRuleText } from '../../src/policy/files/edit-rule-file.js'
import { loadLayers } from '../../src/host/load-layers.js'
import { openCrib, temporaryStorePath } from '../scenarios/open-crib.js'
import { createSettings, type SettingsFixture } from './settings-fixture.js'

afterEach(() => vi.unstubAllEnvs())

const save = defineTool({
  namespace: 'notes',
  name: 'save',
  description: 'Save a note.',
  kind: 'file_operation',
  input: { jsonSchema: { type: 'object', properties: { path: { type: 'string' } } } },
  paths: { path: 'write' },
  isReadOnly: false,
  isDestructive: false,
  isOpenWorld: false,
  execute: () => 'saved',
})

const add = (rules: readonly string[], more: Partial<RuleUpdate> = {}): RuleUpdate =>
  ({ type: 'add_rules', behavior: 'allow', rules, destination: 'local_settings', ...more }) as RuleUpdate
const remove = (rules: readonly string[], behavior = 'deny'): RuleUpdate =>
  ({ type: 'remove_rules', behavior, rules, destination: 'local_settings' }) as RuleUpdate

describe('the text of a rule file', () => {
  const edited = (before: string, update: RuleUpdate, path = 'rules.yaml'): Promise<string> =>
    editRuleText(before, path, update)

  it('keeps its comments, its order and everything else', async () => {
    const before = `# who may do what
permission: # here
  # first the denies
  deny:
    - Bash(rm:*) # never
    - { rule: Read(.env), reason: secrets }
  allow:
    # my own
    - files.read
tools: [a.mjs] # the tools
`
    const after = await edited(before, add(['math.add', 'notes.save']))
    for (const comment of before.match(/#.*/g)!) expect(after).toContain(comment)
    expect(after).toContain('    # my own\n    - files.read\n    - math.add\n    - notes.save\n')
    const removed = await edited(before, remove(['Bash(rm:*)']))
    expect(removed).toContain('# who may do what')
    expect(removed).not.toContain('Bash(rm')
    expect(removed).toContain('{ rule: Read(.env), reason: secrets }')
    expect(await edited(before, remove(['Read(.env)']))).not.toContain('secrets')
  })

  const LAID_OUT = `# who may do what
tools: [./workspace]   # one folder
permission:
  deny:

    - Bash(rm:*)    # never
    # the secrets
    - rule: Read(.env)
      reason: secrets
      match: ['.env']
    - { rule: 'Bash(dd:*)', reason: disks }
  ask: [a,
        b, # and b
        c]
builtins: { files: { roots: [., ../other] } }
serve:
  allowedHosts: [a.example.com, b.example.com,
    c.example.com]
`
  const replace = (rule: string, by: string, reason?: string, behavior = 'deny'): RuleUpdate =>
    ({
      type: 'replace_rules',
      behavior,
      rules: [by],
      replaces: [{ behavior: rule.length === 1 ? 'ask' : 'deny', rule }],
      reason,
      destination: 'local_settings',
    }) as RuleUpdate

  it.each<[RuleUpdate, string, string]>([
    [replace('Bash(rm:*)', 'Bash(rm -rf:*)'), '- Bash(rm:*) ', '- Bash(rm -rf:*) '],
    [replace('Bash(rm:*)', 'x', 'why'), '- Bash(rm:*)    #', '- rule: x\n      reason: why    #'],
    [replace('Read(.env)', 'Read(*.env)', 'secrets'), 'rule: Read(.env)', 'rule: Read(*.env)'],
    [replace('Bash(dd:*)', 'x', 'y'), "{ rule: 'Bash(dd:*)', reason: disks }", "{ rule: 'x', reason: y }"],
    [replace('Bash(dd:*)', 'x'), "{ rule: 'Bash(dd:*)', reason: disks }", 'rule: x'],
    [replace('b', 'd', undefined, 'ask'), 'b, # and', 'd, # and'],
    [remove(['Bash(rm:*)']), '    - Bash(rm:*)    # never\n', ''],
    [
      remove(['Read(.env)']),
      `    # the secrets\n    - rule: Read(.env)\n      reason: secrets\n      match: ['.env']\n`,
      '',
    ],
    [remove(['c'], 'ask'), ', # and b\n        c]', ']'],
    [add(['d'], { behavior: 'ask' }), '        c]', '        c,\n        d]'],
    [add(['x y'], { behavior: 'deny' }), 'reason: disks }\n', 'reason: disks }\n    - x y\n'],
    [add(['x']), '        c]\n', '        c]\n  allow:\n    - x\n'],
  ])('%j changes its own lines only', async (update, from, to) => {
    expect(LAID_OUT).toContain(from)
    expect(await edited(LAID_OUT, update)).toBe(LAID_OUT.replace(from, () => to))
  })

  it('that has no block of rules gets it at its end', async () => {
    const before = 'tools: [./a]   # one\nhosts: [a,\n  b]'
    expect(await edited(before, add(['x']))).toBe(`${before}\npermission:\n  allow:\n    - x\n`)
  })

  it.each<[string, string, RuleUpdate, string]>([
    ['an empty file gets a block', '', add(['a']), 'permission:\n  allow:\n    - a\n'],
    ['so does one of comments', '# c\n', add(['a']), '# c\n\npermission:\n  allow:\n    - a\n'],
    ['lists by themselves stay so', 'deny: [b]\n', add(['a']), 'deny: [b]\nallow:\n  - a\n'],
    [
      'also where there is no list of rules yet',
      'working_directories: [/x]\n',
      add(['a']),
      'working_directories: [/x]\nallow:\n  - a\n',
    ],
    ['and with waivers alone', 'waivers: []\n', add(['a']), 'waivers: []\nallow:\n  - a\n'],
    [
      'another agent’s block is used',
      'permissions: {deny: [b]}\n',
      add(['a']),
      'permissions: {deny: [b], allow: [a]}\n',
    ],
    ['what is there is not added again', 'allow: [a]\n', add(['a']), 'allow: [a]\n'],
    ['an empty list is filled', 'allow: []\n', add(['a', 'b']), 'allow:\n  - a\n  - b\n'],
    ['every rule that reads so is removed', 'deny: [a, b, " a ", {tool: a}]\n', remove(['a']), 'deny: [b]\n'],
    [
      'a mode is set',
      'mode: plan\n',
      { type: 'set_mode', mode: 'auto', destination: 'local_settings' },
      'mode: auto\n',
    ],
    [
      'folders are added',
      'deny: [a]\n',
      { type: 'add_directories', directories: ['/x'], destination: 'local_settings' },
      'deny: [a]\nworking_directories:\n  - /x\n',
    ],
    [
      'and removed',
      'working_directories: [/x, /y]\n',
      { type: 'remove_directories', directories: ['/x'], destination: 'local_settings' },
      'working_directories: [/y]\n',
    ],
    [
      'one rule takes the place of another',
      'deny: [a, b]\n',
      {
        type: 'replace_rules',
        behavior: 'ask',
        rules: ['a'],
        replaces: [{ behavior: 'deny', rule: 'a' }],
        destination: 'local_settings',
      },
      'deny: [b]\nask:\n  - a\n',
    ],
  ])('%s', async (_, before, update, after) => {
    expect(await edited(before, update)).toBe(after)
  })

  it('gets the list in an empty block', async () => {
    expect(await edited('permission:\ntools: []\n', add(['a']))).toContain('allow:\n    - a')
  })

  it('stays JSON if it is JSON', async () => {
    const after = await edited('{"permission": {"deny": ["b"]}}', add(['a']), 'rules.json')
    expect(JSON.parse(after)).toEqual({ permission: { deny: ['b'], allow: ['a'] } })
  })

  it('is not changed if it is absent, unreadable or a module, and the error says so', async () => {
    await expect(edited('deny: [a]', remove(['b']))).rejects.toThrow('holds no deny rule "b"')
    await expect(edited('deny: [', add(['b']))).rejects.toThrow('mend it first')
    await expect(edited('', add(['b']), 'toolcrib.config.mjs')).rejects.toThrow('is a program')
  })
})

describe('a rule file', () => {
  it('is replaced atomically, and not changed if another process wrote it meanwhile', async () => {
    const place = createSettings()
    const path = place.write('toolcrib.local.yaml', 'deny: [a]\n')
    const file = { source: 'local_settings', path, isProject: true } as const
    const change = changeRuleFile(file, add(['b']), { isPerson: true })
    writeFileSync(path, 'deny: [a, c]\n')
    await expect(change).rejects.toThrow('was changed by another process')
    expect(place.read('toolcrib.local.yaml')).toBe('deny: [a, c]\n')
    await changeRuleFile(file, add(['b']), { isPerson: true })
    expect(place.read('toolcrib.local.yaml')).toBe('deny: [a, c]\nallow:\n  - b\n')
    // No temporary file is left.
    expect(readdirSync(place.project)).toEqual(['toolcrib.local.yaml'])
  })
})

async function openWith(place: SettingsFixture, more: CribOptions = {}): Promise<Crib> {
  const layers = await loadLayers(await place.settings())
  return openCrib({ tools: [save], workspace: place.project, permission: { layers }, ...more })
}

const outcomeOf = (crib: Crib, path = 'a.md', more: object = {}): string =>
  crib.explain({ tool: 'notes.save', input: { path }, ...more }).behavior

describe('crib.policy.update', () => {
  it('an accepted suggestion allows the call, at once and permanently', async () => {
    const place = createSettings()
    place.write('toolcrib.yaml', 'tools: []\n')
    const crib = await openWith(place)
    const { suggested_updates } = crib.explain({ tool: 'notes.save', input: { path: 'docs/a.md' } })
    const update = suggested_updates.find(({ destination }) => destination === 'local_settings')!
    const { revision } = crib.policy
    await crib.policy.update(update, { by: 'ann' })
    expect(outcomeOf(crib, 'docs/a.md')).toBe('allow')
    expect(outcomeOf(crib, 'a.md')).toBe('ask')
    expect(place.read('toolcrib.local.yaml')).toBe('permission:\n  allow:\n    - notes.save(./docs/**)\n')
    expect(crib.policy.revision).not.toBe(revision)
    // The user made it: it needs no further trust, now and in the next crib.
    expect(crib.policy.problems()).toEqual([])
    expect(outcomeOf(await openWith(place), 'docs/a.md')).toBe('allow')
    await crib.flush()
    expect(await crib.resolveRef(`policy:${crib.policy.revision}`)).toMatchObject({
      rules: [{ text: 'notes.save(./docs/**)', source: 'local_settings' }],
      change: { by: 'ann', update: { type: 'add_rules' } },
    })
  })

  it('means the same from a folder below the project', async () => {
    const place = createSettings()
    place.write('toolcrib.yaml', 'tools: []\n')
    mkdirSync(join(place.project, 'sub'))
    const crib = await openWith(place, { workspace: join(place.project, 'sub') })
    const { suggested_updates } = crib.explain({ tool: 'notes.save', input: { path: 'a.md' } })
    const update = suggested_updates.find(({ destination }) => destination === 'local_settings')!
    await crib.policy.update(update)
    expect(place.read('toolcrib.local.yaml')).toContain('notes.save(./sub/**)')
    expect(outcomeOf(crib, 'a.md')).toBe('allow')
    expect(outcomeOf(crib, '../a.md')).toBe('ask')
  })

  it('changes of a session apply to that session, also in the next process', async () => {
    createSettings()
    const path = temporaryStorePath()
    const first = await openCrib({ tools: [save], store: sqliteStore({ path }), permission: {} })
    await first.policy.update(add(['notes.save'], { destination: 'session' }), { session: 's1' })
    expect([outcomeOf(first, 'a', { session: 's1' }), outcomeOf(first, 'a')]).toEqual(['allow', 'ask'])
    await first.close()
    const second = await openCrib({ tools: [save], store: sqliteStore({ path }), permission: {} })
    expect([outcomeOf(second, 'a', { session: 's1' }), outcomeOf(second, 'a')]).toEqual(['allow', 'ask'])
    await second.policy.update(
      { ...remove(['notes.save'], 'allow'), destination: 'session' },
      { session: 's1' },
    )
    expect(outcomeOf(second, 'a', { session: 's1' })).toBe('ask')
  })

  it('changes without a session apply to the whole crib, and not to the next one', async () => {
    createSettings()
    const path = temporaryStorePath()
    const first = await openCrib({ tools: [save], store: sqliteStore({ path }), permission: {} })
    await first.policy.update(add(['notes.save'], { destination: 'session' }))
    await first.policy.update({ type: 'set_mode', mode: 'bypass', destination: 'session' })
    expect(outcomeOf(first, 'a', { session: 'any' })).toBe('allow')
    await first.close()
    const second = await openCrib({ tools: [save], store: sqliteStore({ path }), permission: {} })
    expect(second.explain({ tool: 'notes.save' })).toMatchObject({ behavior: 'ask', mode: 'default' })
  })

  it('modes and folders of a session apply only to it', async () => {
    const place = createSettings()
    const crib = await openCrib({
      tools: [save],
      store: memoryStore(),
      workspace: place.project,
      permission: { workingDirectories: [place.project], mode: 'acceptEdits' },
    })
    expect([outcomeOf(crib, 'a'), outcomeOf(crib, '/data/a', { session: 's1' })]).toEqual(['allow', 'ask'])
    const { suggested_updates } = crib.explain({
      tool: 'notes.save',
      input: { path: '/data/a' },
      session: 's1',
    })
    expect(suggested_updates[0]).toMatchObject({ type: 'add_directories', destination: 'session' })
    await crib.policy.update(suggested_updates[0]!, { session: 's1' })
    expect([outcomeOf(crib, '/data/a', { session: 's1' }), outcomeOf(crib, '/data/a')]).toEqual([
      'allow',
      'ask',
    ])
    await crib.policy.update({ type: 'set_mode', mode: 'plan', destination: 'session' }, { session: 's1' })
    expect([outcomeOf(crib, 'a', { session: 's1' }), outcomeOf(crib, 'a')]).toEqual(['deny', 'allow'])
    await crib.policy.update({ type: 'add_directories', directories: ['/all'], destination: 'session' })
    expect(outcomeOf(crib, '/all/a', { session: 's2' })).toBe('allow')
  })

  it('concurrent changes are all made', async () => {
    const place = createSettings()
    place.write('toolcrib.yaml', 'tools: []\n')
    const crib = await openWith(place)
    const names = Array.from({ length: 8 }, (_, index) => `tool${index}`)
    await Promise.all([
      ...names.map((name) => crib.policy.update(add([name]))),
      ...names.map((name) => crib.policy.update(add([name], { destination: 'session' }), { session: 's1' })),
    ])
    const kept = crib.policy.rules().map(({ source, text }) => `${source} ${text}`)
    for (const name of names)
      expect(kept).toEqual(expect.arrayContaining([`local_settings ${name}`, `session ${name}`]))
    expect(place.read('toolcrib.local.yaml').match(/tool\d/g)).toHaveLength(8)
  })

  it.each<[RuleUpdate, RegExp]>([
    [add(['Bash(']), /The rule "Bash\(" is no rule/],
    [add(['WebFetch(domain:a b)']), /cannot be read: "a b" is no domain/],
    [add(['x'], { behavior: 'maybe' } as never), /"maybe" is none of deny, ask, allow/],
    [add('x' as never), /needs "rules"/],
    [{ type: 'set_mode', mode: 'fast', destination: 'session' } as never, /no mode "fast"/],
    [{ type: 'forget', destination: 'session' } as never, /no update "forget"/],
    [add(['x'], { destination: 'nowhere' } as never), /no source "nowhere"/],
    [add(['x'], { destination: 'user_settings' }), /No file is known for user_settings/],
    [add(['x']), /No file is known for local_settings/],
  ])('an invalid change is refused with a reason, and nothing changes: %j', async (update, message) => {
    createSettings()
    const crib = await openCrib({ tools: [save], permission: {} })
    const { revision } = crib.policy
    await expect(crib.policy.update(update)).rejects.toThrow(message)
    expect(crib.policy.revision).toBe(revision)
    await crib.policy.update(add(['notes.save'], { destination: 'session' }))
    expect(outcomeOf(crib)).toBe('allow')
  })

  it('rules of an untrusted project wait, and an update to its own file does not make it trusted', async () => {
    const place = createSettings()
    place.write('toolcrib.yaml', 'permission:\n  allow: [notes.save]\n')
    const crib = await openWith(place)
    expect(outcomeOf(crib)).toBe('ask')
    expect(crib.policy.problems()).toMatchObject([
      { message: expect.stringContaining('waits for your trust') },
    ])
    await crib.policy.update(add(['other.tool'], { destination: 'project_settings' }))
    expect(outcomeOf(crib)).toBe('ask')
    expect(place.read('toolcrib.yaml')).toContain('other.tool')
  })
})

describe('createCrib', () => {
  it('refuses unknown permission options', async () => {
    await expect(openCrib({ permission: { denny: [] } as never })).rejects.toThrow('did you mean "deny"?')
    await expect(openCrib({ permission: { deny: 'x' } as never })).rejects.toThrow('"deny" must be a list')
  })

  it('reports unreadable rules, and denies what they may mean', async () => {
    const crib = await openCrib({ tools: [save], permission: { deny: ['notes.save('] } })
    expect(crib.policy.problems()).toMatchObject([
      { file: 'createCrib', message: expect.stringContaining('notes.save(') },
    ])
    expect(outcomeOf(crib)).toBe('deny')
  })

  it('protects its own records and settings from every tool', async () => {
    const place = createSettings()
    const path = temporaryStorePath()
    const crib = await openCrib({
      tools: [save],
      store: sqliteStore({ path }),
      permission: { allow: ['*'], mode: 'bypass' },
    })
    for (const own of [
      path,
      `${path}-wal`,
      join(place.home, 'trust.json'),
      join(place.home, 'rules.yaml'),
      'toolcrib.yaml',
    ]) {
      expect([own, outcomeOf(crib, own)]).toEqual([own, 'deny'])
    }
    expect(outcomeOf(crib, '/tmp/free')).toBe('allow')
  })
})
