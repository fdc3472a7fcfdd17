import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ConfigTrust } from '../../src/platform/trust/config-trust.js'
import { forgetReadings } from '../../src/platform/trust/reading-cache.js'
import { distrustFile, writeTrusted } from '../../src/platform/trust/trust-list.js'
import { createSettings, type SettingsFixture } from '../policy/settings-fixture.js'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

const YAML = 'toolcrib.yaml'
const LONG_AGO = new Date('2020-01-01T00:00:00Z')

/** The content of a project file: a text, or the target of a link. */
type Files = Record<string, string | { link: string }>

interface Project extends SettingsFixture {
  at(name: string): string
  /** What a process that has just started finds. */
  trustNow(): Promise<ConfigTrust>
  /** The readings that are stored, by their file. */
  stored(): { file: string; text: string; ino: number }[]
}

/** A project that is trusted and was read once. */
async function readProject(files: Files, { isSettled = true } = {}): Promise<Project> {
  const place = createSettings()
  const at = (name: string): string => join(place.project, name)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(at(name)), { recursive: true })
    if (typeof content !== 'string') symlinkSync(content.link, at(name))
    else {
      writeFileSync(at(name), content)
      // Whole seconds can be restored to the last digit.
      utimesSync(at(name), LONG_AGO, LONG_AGO)
    }
  }
  // The change time cannot be set back: the clock is set forward, as if the files were older.
  if (isSettled) vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  place.trust()
  const project = {
    ...place,
    at,
    async trustNow() {
      forgetReadings()
      return (await place.settings()).trust
    },
    stored: () => storedIn(join(place.home, 'trust-readings')),
  }
  expect(await project.trustNow()).toEqual({ isTrusted: true })
  expect(project.stored()).toHaveLength(1)
  return project
}

function storedIn(folder: string): { file: string; text: string; ino: number }[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .map((file) => ({ file, text: readFileSync(file, 'utf8'), ino: statSync(file).ino }))
}

const MODULE = { [YAML]: 'tools: [./tools.mjs]\n' }
const PACKAGE = {
  ...MODULE,
  'tools.mjs': "import 'p'",
  'node_modules/p/package.json': '{"main":"a.js"}',
  'node_modules/p/a.js': '1',
  'node_modules/p/other.js': '1',
}

type Change = (project: Project) => void
const write =
  (name: string, text: string): Change =>
  ({ at }) => {
    mkdirSync(dirname(at(name)), { recursive: true })
    writeFileSync(at(name), text)
  }
const remove =
  (name: string): Change =>
  ({ at }) =>
    rmSync(at(name), { recursive: true })
const link =
  (name: string, target: string): Change =>
  ({ at }) => {
    rmSync(at(name), { recursive: true, force: true })
    symlinkSync(target, at(name))
  }

/** With its former size and modification time. */
function disguised(name: string, change: (path: string, other: string) => void): Change {
  return ({ at }) => {
    const { mtimeNs, size } = statSync(at(name), { bigint: true })
    change(at(name), readFileSync(at(name), 'utf8').replace('1', '2'))
    utimesSync(at(name), LONG_AGO, LONG_AGO)
    expect(statSync(at(name), { bigint: true })).toMatchObject({ mtimeNs, size })
  }
}

/** A project, a change of it, and the file that must be named. */
const CHANGES: [string, Files, Change, string][] = [
  ['a file', { ...MODULE, 'tools.mjs': '1' }, write('tools.mjs', '2'), 'tools.mjs'],
  ['a file of a package', PACKAGE, write('node_modules/p/a.js', '2'), 'node_modules/p/a.js'],
  [
    'a file of the same size and time',
    { ...MODULE, 'tools.mjs': '1' },
    disguised('tools.mjs', (path, other) => writeFileSync(path, other)),
    'tools.mjs',
  ],
  [
    'another file in its place, of the same size and time',
    PACKAGE,
    disguised('node_modules/p/a.js', (path, other) => {
      writeFileSync(`${path}.new`, other)
      renameSync(`${path}.new`, path)
    }),
    'node_modules/p/a.js',
  ],
  [
    'a file under its other name',
    { ...MODULE, 'tools.mjs': '1' },
    ({ at }) => {
      linkSync(at('tools.mjs'), at('other.mjs'))
      writeFileSync(at('other.mjs'), '2')
    },
    'tools.mjs',
  ],
  [
    'a file that is gone',
    { ...MODULE, 'tools.mjs': "import './a.mjs'", 'a.mjs': '1' },
    remove('a.mjs'),
    'a.mjs',
  ],
  [
    'a package closer to the import',
    { [YAML]: 'tools: [./a/b/c.mjs]\n', 'a/b/c.mjs': "import 'x'", 'node_modules/x.js': '1' },
    write('a/node_modules/x.js', '2'),
    'a/node_modules/x.js',
  ],
  [
    'a package closer to the import of a package',
    {
      ...PACKAGE,
      'node_modules/p/a.js': "require('q')",
      'node_modules/q/index.js': '1',
    },
    write('node_modules/p/node_modules/q/index.js', '2'),
    'node_modules/p/node_modules/q/index.js',
  ],
  [
    'a source beside what was compiled from it',
    { ...MODULE, 'tools.mjs': "import './x.js'", 'x.js': '1' },
    write('x.ts', '2'),
    'x.ts',
  ],
  [
    'a source in a package',
    { ...PACKAGE, 'node_modules/p/a.js': "require('./other.js')" },
    write('node_modules/p/other.ts', '2'),
    'node_modules/p/other.ts',
  ],
  [
    'another main of a package',
    PACKAGE,
    write('node_modules/p/package.json', '{"main":"other.js"}'),
    'node_modules/p/package.json',
  ],
  [
    'another script of package.json',
    {
      [YAML]: 'mcpServers: { s: { command: npm, args: [run, x] } }\n',
      'package.json': '{"scripts":{"x":"node a.js"}}',
    },
    write('package.json', '{"scripts":{"x":"node b.js"}}'),
    'package.json',
  ],
  [
    'a link that leads elsewhere',
    { ...MODULE, 'tools.mjs': { link: 'a.mjs' }, 'a.mjs': '1', 'b.mjs': '1' },
    link('tools.mjs', 'b.mjs'),
    'b.mjs',
  ],
  [
    'a file behind a link',
    { ...MODULE, 'tools.mjs': { link: 'deep/a.mjs' }, 'deep/a.mjs': '1' },
    write('deep/a.mjs', '2'),
    'tools.mjs',
  ],
  [
    'a package that is linked to another folder',
    {
      ...MODULE,
      'tools.mjs': "import 'p'",
      'node_modules/p': { link: '../v1' },
      'v1/index.js': '1',
      'v2/index.js': '1',
    },
    link('node_modules/p', '../v2'),
    'v2/index.js',
  ],
  [
    'a link on the way to a file',
    { [YAML]: 'tools: [./now/lib/a.mjs]\n', now: { link: 'v1' }, 'v1/lib/a.mjs': '1', 'v2/lib/a.mjs': '1' },
    link('now', 'v2'),
    'v2/lib/a.mjs',
  ],
  [
    'a folder that has become a link to the same files',
    { [YAML]: 'tools: [./a/lib/x.mjs]\n', 'a/lib/x.mjs': '1' },
    ({ at }) => {
      renameSync(at('a'), at('elsewhere'))
      symlinkSync('elsewhere', at('a'))
    },
    'elsewhere/lib/x.mjs',
  ],
  [
    'a link whose target comes to be',
    { ...MODULE, 'tools.mjs': "import './x.js'", 'x.js': { link: 'made/later.js' } },
    write('made/later.js', '2'),
    'x.js',
  ],
  [
    'a file in folders that were not there',
    { ...MODULE, 'tools.mjs': "import './x/y/z'" },
    write('x/y/z/index.mjs', '2'),
    'x/y/z/index.mjs',
  ],
  [
    'a folder in place of another',
    { ...MODULE, 'tools.mjs': "import './lib/a.js'", 'lib/a.js': '1', 'next/a.js': '1', 'next/a.ts': '2' },
    ({ at }) => {
      renameSync(at('lib'), at('old'))
      renameSync(at('next'), at('lib'))
    },
    'lib/a.ts',
  ],
  ['a match of a glob', { [YAML]: 'tools: [./t/*.mjs]\n', 't/a.mjs': '1' }, write('t/b.mjs', '2'), 't/b.mjs'],
  [
    'a match of a glob in a new folder',
    { [YAML]: 'tools: [./t/**/*.mjs]\n', 't/a.mjs': '1' },
    write('t/x/y/b.mjs', '2'),
    't/x/y/b.mjs',
  ],
  [
    'a match of a glob in a script',
    {
      [YAML]: 'mcpServers: { s: { command: bash, args: [./a.sh] } }\n',
      'a.sh': 'for f in parts/*.sh; do . $f; done',
      'parts/a.sh': '1',
    },
    write('parts/b.sh', '2'),
    'parts/b.sh',
  ],
  [
    'a Python package in front of a module',
    {
      [YAML]: 'mcpServers: { s: { command: python3, args: [./a.py] } }\n',
      'a.py': 'import helper',
      'helper.py': '1',
    },
    write('helper/__init__.py', '2'),
    'helper/__init__.py',
  ],
  [
    'data that has become a program by its mode',
    {
      [YAML]: 'mcpServers: { s: { command: ./a.sh, args: [./notes.txt] } }\n',
      'a.sh': '1',
      'notes.txt': 'x',
    },
    ({ at }) => chmodSync(at('notes.txt'), 0o755),
    'notes.txt',
  ],
  [
    'data that has become a program by its first line',
    {
      [YAML]: 'mcpServers: { s: { command: ./a.sh, args: [./notes.txt] } }\n',
      'a.sh': '1',
      'notes.txt': 'x',
    },
    write('notes.txt', '#!/bin/sh\n'),
    'notes.txt',
  ],
  [
    'a package in a folder of NODE_PATH',
    { ...MODULE, 'tools.mjs': "require('x')", 'shared/x.js': '2' },
    ({ at }) => void vi.stubEnv('NODE_PATH', at('shared')),
    'shared/x.js',
  ],
]

describe.each([
  ['that are old', true],
  // Their times could be equal to those of the next change.
  ['that were just written', false],
])('a stored reading of files %s hides no change', (_title, isSettled) => {
  it.each(CHANGES)('%s', async (_title, files, change, blamed) => {
    const project = await readProject(files, { isSettled })
    change(project)
    expect(await project.trustNow()).toMatchObject({ isTrusted: false, file: project.at(blamed) })
    // The change is still found after it was read once.
    expect(await project.trustNow()).toMatchObject({ isTrusted: false, file: project.at(blamed) })
  })
})

describe('a stored reading', () => {
  it('is used while only other files change, and is then not written again', async () => {
    const project = await readProject(PACKAGE)
    const [before] = project.stored()
    for (const name of ['notes.md', 'src/new.js', '../elsewhere.js']) write(name, 'x')(project)
    expect(await project.trustNow()).toEqual({ isTrusted: true })
    expect(project.stored()).toEqual([before])
  })

  it('is compared with the trusted state', async () => {
    const project = await readProject(PACKAGE)
    const [{ file, text } = { file: '', text: '' }] = project.stored()
    writeFileSync(file, text.replace(/(tools\.mjs":"sha256:)\w/, '$1x'))
    expect(await project.trustNow()).toMatchObject({ why: 'changed', file: project.at('tools.mjs') })
  })

  it('identifies old files by inode, and recently written files by content', async () => {
    const project = await readProject(PACKAGE, { isSettled: false })
    expect(project.stored()[0]?.text).toMatch(/"content \d+ sha256:/)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    expect(await project.trustNow()).toEqual({ isTrusted: true })
    expect(project.stored()[0]?.text).not.toContain('"content ')
  })

  it.each<[string, (text: string) => string]>([
    ['is empty', () => ''],
    ['ends early', (text) => text.slice(0, text.length / 2)],
    ['is a list', () => '[]'],
    ['holds something else', () => '{"a":1,"b":{"files":[]},"c":null}'],
    ['has hashes that are no texts', (text) => text.replace(/"sha256:\w+"/, '1')],
    ['has stamps that are none', (text) => text.replaceAll(/"stat [^"]+"/g, '"?"')],
    ['has lines that are none', (text) => text.replace('"computed":[]', '"computed":[{"file":1}]')],
  ])('is ignored if its file %s', async (_title, spoil) => {
    const project = await readProject(PACKAGE)
    const [{ file, text } = { file: '', text: '' }] = project.stored()
    expect(spoil(text)).not.toBe(text)
    writeFileSync(file, spoil(text))
    expect(await project.trustNow()).toEqual({ isTrusted: true })
    write('node_modules/p/a.js', '2')(project)
    expect(await project.trustNow()).toMatchObject({ file: project.at('node_modules/p/a.js') })
  })

  it('is deleted when its config is no longer trusted, and is not written for an untrusted config', async () => {
    const project = await readProject(PACKAGE)
    const stored = project.stored()[0]!.file
    const other = join(dirname(stored), 'other.json')
    writeFileSync(other, '{}')
    write('tools.mjs', "import 'p' // changed")(project)
    expect(await project.trustNow()).toMatchObject({ isTrusted: false })
    expect(project.stored()).toHaveLength(2)
    project.trust()
    expect(project.stored().map(({ file }) => file)).toEqual([stored])
    distrustFile(project.at(YAML))
    writeTrusted(project.at('.mcp.json'), { hash: '', files: {} })
    expect(await project.trustNow()).toEqual({ isTrusted: false, why: 'unknown' })
  })

  it('is optional: a read-only settings folder only costs time', async () => {
    const project = await readProject(PACKAGE)
    rmSync(dirname(project.stored()[0]!.file), { recursive: true })
    writeFileSync(join(project.home, 'trust-readings'), 'in the way')
    expect(await project.trustNow()).toEqual({ isTrusted: true })
  })
})
