import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { beforeEach, afterEach, expect, it, vi } from 'vitest'
import { memoryStore } from 'toolcrib'
import { configFile, type ConfigFile } from '../../src/host/config-file/config-file.js'
import { loadSettings } from '../../src/host/load-settings.js'
import { openTemporaryFolder, type TemporaryFolder } from '../temporary-folder.js'
import { trustConfig } from '../trust-config.js'
import { collect, openCrib } from '../scenarios/open-crib.js'

let folder: TemporaryFolder
beforeEach(() => {
  folder = openTemporaryFolder()
  vi.stubEnv('XDG_CONFIG_HOME', folder.file('settings'))
  vi.stubEnv('TOOLCRIB_HOME', folder.file('home'))
})
afterEach(() => void vi.unstubAllEnvs())

const FIRST = 'permission:\n  deny: [Read(.env)] # a comment\n'

async function open(text: string, { isTrusted = true, name = 'toolcrib.yaml' } = {}) {
  const path = folder.write(name, text)
  if (isTrusted) trustConfig(path)
  const crib = await openCrib({ store: memoryStore() })
  const file = configFile({
    settings: { configPath: path, config: {} },
    store: crib.store,
    secrets: () => [],
    onWritten: async () => {},
  })
  return { path, crib, file }
}

async function revisionOf(file: ConfigFile): Promise<string> {
  return (await file.read())!.revision
}

it('is read as it is written, with a revision and its trust', async () => {
  const { file, path } = await open(FIRST)
  const view = await file.read()
  expect(view).toMatchObject({ path, text: FIRST, isTrusted: true, whyNotEditable: undefined })
  writeFileSync(path, `${FIRST}\n`)
  expect(await file.read()).toMatchObject({ isTrusted: false })
  expect((await file.read())!.revision).not.toBe(view!.revision)
})

it.each([
  [
    'toolcrib.yaml',
    'mcpServers:\n  notes:\n    command: notes\n    env:\n      NOTES_API_KEY: k9-Zq81LmTx04vBn7\n',
  ],
  [
    'toolcrib.yaml',
    'mcpServers: { notes: { command: notes, env: { NOTES_API_KEY: "k9\\u002dZq81LmTx04vBn7" } } }\n',
  ],
  [
    'toolcrib.json',
    '{"mcpServers": {"notes": {"command": "notes", "env": {"NOTES_API_KEY": "k9-Zq81LmTx04vBn7"}}}}',
  ],
])('with a secret in %s it is shown without it, and is not changed', async (name, text) => {
  const { file, path } = await open(text, { name })
  const view = (await file.read())!
  expect(view.text).not.toContain('Zq81LmTx04vBn7')
  expect(view.text).toContain('command')
  expect(view.whyNotEditable).toContain('secrets set')
  expect(await file.apply('{}', { revision: view.revision, by: 'ada' })).toMatchObject({ outcome: 'refused' })
  expect(readFileSync(path, 'utf8')).toBe(text)
})

it('that is a program is shown and not changed', async () => {
  const { file } = await open('export default {}\n', { name: 'toolcrib.config.mjs' })
  const view = (await file.read())!
  expect(view.whyNotEditable).toContain('a program')
  expect(await file.apply('{}', { revision: view.revision, by: 'ada' })).toMatchObject({ outcome: 'refused' })
})

it('a text is checked as loading checks it, with line and column, and nothing runs', async () => {
  const { file, path } = await open(FIRST)
  folder.write(
    'ran.mjs',
    `import { writeFileSync } from 'node:fs'\nwriteFileSync('${folder.file('ran')}', '')\n`,
  )
  const bad = 'tools: [./ran.mjs, ./gone.mjs]\nhooks:\n  - { id: a, on: pre }\nretries: many\n'
  const checked = await file.validate(bad)
  writeFileSync(path, bad)
  trustConfig(path)
  const loaded = await loadSettings({ configPath: path })
  if (loaded.ok) throw new Error('it must not load')
  expect(checked.config).toBeUndefined()
  expect(checked.problems.map(({ line, column, message }) => ({ line, column, message }))).toEqual(
    loaded.problems.map(({ line, column, message }) => ({ line, column, message })),
  )
  expect(await file.validate('tools: [./ran.mjs, ./gone.mjs]\n')).toMatchObject({
    problems: [{ line: 1, column: 20, message: expect.stringContaining('./gone.mjs') as string }],
  })
  expect(await file.validate('a: [')).toMatchObject({ problems: [{ line: expect.any(Number) as number }] })
  expect(() => statSync(folder.file('ran'))).toThrow()
})

it('parts that would have no effect are warnings', async () => {
  const { file } = await open(FIRST)
  const { config, problems } = await file.validate(
    'permission:\n  allow: [Bash()]\nmcpServers:\n  notes: { command: notes, env: { KEY: "${NOT_SET_ANYWHERE}" } }\n',
  )
  expect(config).toBeDefined()
  expect(problems).toMatchObject([
    { line: 2, severity: 'warning', message: expect.stringContaining('empty brackets') as string },
    { line: 4, severity: 'warning', message: expect.stringContaining('NOT_SET_ANYWHERE') as string },
  ])
})

it('a change is written at once, keeps permissions and trust, and is recorded', async () => {
  const { file, path, crib } = await open(FIRST)
  chmodSync(path, 0o640)
  const before = await revisionOf(file)
  const text = 'permission:\n  deny: [Read(.env), Bash]\nretries: 2\n'
  const applied = await file.apply(text, { revision: before, by: 'ada' })
  expect(applied).toMatchObject({
    outcome: 'applied',
    isTrusted: true,
    untrustedFiles: [],
    restartKeys: ['retries'],
  })
  expect(readFileSync(path, 'utf8')).toBe(text)
  expect(statSync(path).mode & 0o777).toBe(0o640)
  expect(await file.read()).toMatchObject({ isTrusted: true, revision: await revisionOf(file) })
  expect(
    (await collect(crib.events())).filter(({ event_type: type }) => type === 'toolcrib.config.changed'),
  ).toMatchObject([{ data: { path, before, after: await revisionOf(file), by: 'ada' } }])
})

it('a change of another text than the one that was read is refused', async () => {
  const { file, path } = await open(FIRST)
  const revision = await revisionOf(file)
  writeFileSync(path, '# changed\n')
  expect(await file.apply('{}', { revision, by: 'ada' })).toEqual({
    outcome: 'changed',
    revision: await revisionOf(file),
  })
  expect(await file.apply('retries: many\n', { revision: await revisionOf(file), by: 'ada' })).toMatchObject({
    outcome: 'invalid',
    problems: [{ line: 1 }],
  })
  expect(readFileSync(path, 'utf8')).toBe('# changed\n')
})

it('files that the new text names stay untrusted', async () => {
  const { file, path } = await open(FIRST)
  const module = folder.write('tools.mjs', 'export default {}\n')
  const applied = await file.apply('tools: [./tools.mjs]\n', { revision: await revisionOf(file), by: 'ada' })
  expect(applied).toMatchObject({ outcome: 'applied', isTrusted: false, untrustedFiles: [module] })
  expect(await loadSettings({ configPath: path })).toMatchObject({
    ok: true,
    trust: { isTrusted: false, why: 'added', file: module },
  })
  // The text without it is trusted, as the texts before it were.
  expect(await file.apply(FIRST, { revision: await revisionOf(file), by: 'ada' })).toMatchObject({
    outcome: 'applied',
    isTrusted: true,
  })
})

it('an untrusted config stays untrusted', async () => {
  const { file } = await open(FIRST, { isTrusted: false })
  expect(await file.apply('{}', { revision: await revisionOf(file), by: 'ada' })).toMatchObject({
    outcome: 'applied',
    isTrusted: false,
  })
})
