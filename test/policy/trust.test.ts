import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RuleSource } from '../../src/contract/unions.js'
import { changeRuleFile } from '../../src/policy/files/change-rule-file.js'
import { loadLayers, type RuleArguments } from '../../src/host/load-layers.js'
import type { LoadedRules } from '../../src/policy/files/loaded-rules.js'
import { surfaceRequestOf } from '../../src/host/load-settings.js'
import { contentOf } from '../../src/crib/policy/policy-of.js'
import { trustOf } from '../../src/platform/trust/config-trust.js'
import { distrustFile } from '../../src/platform/trust/trust-list.js'
import { parse } from 'yaml'
import type { CribConfig } from '../../src/platform/config/schema/config-schema.js'
import { createSettings, type SettingsFixture } from './settings-fixture.js'

afterEach(() => vi.unstubAllEnvs())

const layersOf = async (place: SettingsFixture, given?: RuleArguments): Promise<LoadedRules[]> =>
  loadLayers(await place.settings(), given)
const layerOf = async (place: SettingsFixture, source: RuleSource): Promise<LoadedRules> =>
  (await layersOf(place)).find((layer) => layer.source === source)!
const textsOf = ({ set }: LoadedRules): string[] =>
  set.rules.map(({ behavior, text }) => `${behavior} ${text}`)
const trust = (place: SettingsFixture, name?: string): void => place.trust(name)
const writeUser = (place: SettingsFixture, text: string): void => {
  mkdirSync(place.home, { recursive: true })
  writeFileSync(join(place.home, 'rules.yaml'), text)
}

const CONFIG = `permission:
  mode: bypass
  allow: ['files.*']
  ask: ['math.add']
  deny: ['Read(.env)']
  waivers:
    - { rule: Read(.env), reason: because, until: 2099-01-01 }
`

describe('rules of a project', () => {
  it('that tighten count at once; those that loosen do not, and are reported', async () => {
    const place = createSettings()
    place.write('toolcrib.yaml', CONFIG)
    const layer = await layerOf(place, 'project_settings')
    expect(textsOf(layer)).toEqual(['deny Read(.env)', 'ask math.add'])
    expect(layer.set.rules.every(({ waiver }) => waiver === undefined)).toBe(true)
    expect(layer.untrusted).toEqual(['allow files.*', 'a waiver of deny Read(.env)', 'the mode bypass'])
    expect(contentOf(await layersOf(place)).mode).toBe('default')
  })

  it('that loosen count once the file is trusted with its content, and no longer when it changes', async () => {
    const place = createSettings()
    place.write('toolcrib.yaml', CONFIG)
    trust(place)
    const trusted = await layerOf(place, 'project_settings')
    expect(textsOf(trusted)).toEqual(['deny Read(.env)', 'ask math.add', 'allow files.*'])
    expect(trusted.untrusted).toEqual([])
    expect(contentOf(await layersOf(place)).mode).toBe('bypass')
    place.write('toolcrib.yaml', `${CONFIG}# one more line\n`)
    expect((await layerOf(place, 'project_settings')).untrusted).toHaveLength(3)
    expect(distrustFile(join(place.project, 'toolcrib.yaml'))).toBe(true)
    expect(distrustFile(join(place.project, 'toolcrib.yaml'))).toBe(false)
  })

  it("in the local file of a project count the same: the project's author may have written it", async () => {
    const place = createSettings()
    place.write('toolcrib.yaml', 'tools: []\n')
    place.write('toolcrib.local.yaml', 'allow: [Bash]\ndeny: [Read]\n')
    expect(textsOf(await layerOf(place, 'local_settings'))).toEqual(['deny Read'])
    trust(place, 'toolcrib.local.yaml')
    expect(textsOf(await layerOf(place, 'local_settings'))).toEqual(['deny Read', 'allow Bash'])
  })

  it('of the user, of the administrator and of the command line need no trust', async () => {
    const place = createSettings()
    writeUser(place, 'allow: [a]\nmode: auto\n')
    writeFileSync(process.env['TOOLCRIB_POLICY']!, 'allow: [b]\nmode: acceptEdits\n')
    const flagged = place.write('flagged.yaml', 'allow: [c]\n')
    const layers = await layersOf(place, { rules: flagged, allow: ['d'], ask: ['e'], deny: ['f'] })
    expect(layers.flatMap((layer) => textsOf(layer).map((text) => `${layer.source} ${text}`))).toEqual([
      'policy_settings allow b',
      'user_settings allow a',
      'flag_settings allow c',
      'cli_arg deny f',
      'cli_arg ask e',
      'cli_arg allow d',
    ])
    expect(layers.flatMap(({ untrusted }) => untrusted)).toEqual([])
    // The administrator's mode is a limit.
    expect(contentOf(layers)).toMatchObject({ mode: 'acceptEdits', modeLimit: 'acceptEdits' })
  })

  it("a mode may tighten without trust, and never loosens the user's choice", async () => {
    const place = createSettings()
    const modeWith = async (project: string, user: string): Promise<string> => {
      place.write('toolcrib.yaml', `permission: { mode: ${project} }\n`)
      writeUser(place, `mode: ${user}\n`)
      return contentOf(await layersOf(place)).mode
    }
    expect(await modeWith('plan', 'bypass')).toBe('plan')
    expect(await modeWith('default', 'plan')).toBe('plan')
    expect(await modeWith('default', 'dontAsk')).toBe('dontAsk')
    expect(await modeWith('bypass', 'acceptEdits')).toBe('acceptEdits')
    trust(place)
    expect(contentOf(await layersOf(place)).mode).toBe('bypass')
  })

  it("working folders tighten without trust if there are none, and are never added to the user's", async () => {
    const place = createSettings()
    place.write('toolcrib.yaml', "permission: { working_directories: ['src', '/'] }\n")
    const folders = async (): Promise<readonly string[]> =>
      contentOf(await layersOf(place)).workingDirectories
    expect(await folders()).toEqual([join(place.project, 'src'), '/'])
    writeUser(place, `working_directories: ['${place.project}']\n`)
    expect(await folders()).toEqual([place.project])
    expect((await layerOf(place, 'project_settings')).untrusted).toContain('the working folder /')
    trust(place)
    expect(await folders()).toEqual([place.project, join(place.project, 'src'), '/'])
  })

  it('the mode of a surface in the config needs trust like a rule that loosens', async () => {
    const place = createSettings()
    place.write('toolcrib.yaml', 'surface: { mode: bypass, role: x }\n')
    expect(surfaceRequestOf(await place.settings())).toEqual({ scope: 'session', role: 'x' })
    expect((await layerOf(place, 'project_settings')).untrusted).toEqual(['the mode bypass of its surface'])
    trust(place)
    expect(surfaceRequestOf(await place.settings())).toMatchObject({ mode: 'bypass' })
    place.write('toolcrib.yaml', 'surface: { mode: plan }\n')
    expect(surfaceRequestOf(await place.settings())).toMatchObject({ mode: 'plan' })
  })

  it('a config module is trusted by its text too', async () => {
    const place = createSettings()
    place.write('toolcrib.config.mjs', "export default { permission: { allow: ['a'], deny: ['b'] } }\n")
    await expect(place.settings()).rejects.toThrow('it is a program and was not run')
    trust(place, 'toolcrib.config.mjs')
    expect(textsOf(await layerOf(place, 'project_settings'))).toEqual(['deny b', 'allow a'])
  })

  it("paths in a project's rules start at the project, in the user's at the working folder", async () => {
    const place = createSettings()
    place.write('toolcrib.yaml', 'permission: { deny: [Read(./a)] }\n')
    writeUser(place, 'deny: [Read(./b)]\n')
    const bases = (await layersOf(place)).flatMap(({ set }) => set.rules.map(({ base }) => base))
    expect(bases).toEqual([process.cwd(), place.project])
  })
})

describe('an unreadable trust list', () => {
  it.each(['', '[]', '{', '7', '{"a": 7}', '{"a": {"hash": "x"}}'])('trusts nothing: %j', (text) => {
    const place = createSettings()
    const path = place.write('toolcrib.local.yaml', 'deny: [a]\n')
    place.trust('toolcrib.local.yaml')
    expect(trustOf({ path, text: 'deny: [a]\n' }).isTrusted).toBe(true)
    writeFileSync(join(place.home, 'trust.json'), text)
    expect(trustOf({ path, text: 'deny: [a]\n' }).isTrusted).toBe(false)
    expect(trustOf({ path, text: '' }).isTrusted).toBe(false)
  })
})

describe('an unreadable rule file', () => {
  it.each([
    ['deny: [', /bracket|flow|closed|end/i],
    ['- deny', /must hold lists of rules/],
    ['just text', /must hold lists of rules/],
    ['permission: [deny]', /"permission" must hold lists/],
    ['permission: {}\ndeny: [Bash]', /"deny" stands beside "permission"/],
    ['deny: [a]\ndeny: [b]', /duplicate key/],
  ])('denies everything until it is fixed: %j', async (text, message) => {
    const place = createSettings()
    writeUser(place, text)
    const layer = await layerOf(place, 'user_settings')
    expect(layer.set.rules).toMatchObject([{ behavior: 'deny', tool: '*', problem: expect.any(String) }])
    expect(layer.problems).toMatchObject([
      { file: join(place.home, 'rules.yaml'), message: expect.stringMatching(message) },
    ])
  })

  it('is reported with the line of each bad rule; the others work', async () => {
    const place = createSettings()
    writeUser(place, '# mine\nallow:\n  - Read(./**)\ndeny:\n  - Bash(\n  - Edit\ndenny: []\n')
    const layer = await layerOf(place, 'user_settings')
    expect(layer.problems.map(({ line }) => line)).toEqual([5, 7])
    expect(textsOf(layer)).toEqual(['deny Bash(', 'deny Edit', 'allow Read(./**)'])
  })

  it('empty, absent, or below something that is not a folder: has no rules', async () => {
    const place = createSettings()
    expect(textsOf(await layerOf(place, 'user_settings'))).toEqual([])
    writeUser(place, '# nothing yet\n')
    expect(textsOf(await layerOf(place, 'user_settings'))).toEqual([])
    vi.stubEnv('XDG_CONFIG_HOME', '/dev/null')
    expect(textsOf(await layerOf(place, 'user_settings'))).toEqual([])
  })

  it('a folder in its place is an error, not an absent file', async () => {
    createSettings()
    const place = createSettings()
    mkdirSync(process.env['TOOLCRIB_POLICY']!)
    expect((await layerOf(place, 'policy_settings')).set.rules).toMatchObject([
      { tool: '*', behavior: 'deny' },
    ])
  })

  it('that was named on the command line must exist', async () => {
    const place = createSettings()
    const layers = await layersOf(place, { rules: join(place.project, 'none.yaml') })
    expect(layers.at(-1)?.problems).toMatchObject([{ message: 'there is no such file' }])
    expect(layers.at(-1)?.set.rules).toMatchObject([{ tool: '*' }])
  })
})

describe("a user's own change keeps the trust in a file, and adds none", () => {
  const update = {
    type: 'add_rules',
    behavior: 'deny',
    rules: ['x'],
    destination: 'project_settings',
  } as const
  const fileOf = (place: SettingsFixture) =>
    ({ source: 'project_settings', path: join(place.project, 'toolcrib.yaml'), isProject: true }) as const
  const trustedAfter = async (text: string, { before = false, isPerson = true } = {}): Promise<boolean> => {
    const place = createSettings()
    place.write('toolcrib.yaml', text)
    if (before) trust(place)
    await changeRuleFile(fileOf(place), update, { isPerson })
    const after = readFileSync(fileOf(place).path, 'utf8')
    return trustOf({ path: fileOf(place).path, text: after, config: parse(after) as CribConfig }).isTrusted
  }

  it('a file that needed no trust, or had it, has it afterwards', async () => {
    expect(await trustedAfter('permission: { deny: [a] }\n')).toBe(true)
    expect(await trustedAfter(CONFIG, { before: true })).toBe(true)
    expect(await trustedAfter('permission: { deny: [a] }\n', { isPerson: false })).toBe(false)
  })

  it.each([
    CONFIG,
    'permission:\n  "\\x61llow": ["Bash"]\n',
    'permission: { "m\\u006fde": bypass }\n',
    'surface: { mode: bypass }\n',
    'permission: { working_directories: [/] }\n',
    'hooks: [{ id: h, event: pre_tool_use, command: "true" }]\n',
    'permission: { engine: { url: "https://engine.example/" } }\n',
    'tools: [./tools.mjs]\n',
    'mcpServers: { a: { command: a } }\n',
  ])('a file that loosens and was never trusted is still untrusted: %j', async (text) => {
    expect(await trustedAfter(text)).toBe(false)
  })
})
