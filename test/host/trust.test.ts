import { existsSync, mkdirSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { loadSettings, loadTools } from '../../src/host/load-settings.js'
import { filesOf, readConfigFile } from '../../src/platform/trust/config-trust.js'
import { createTrustGuard } from '../../src/platform/trust/trust-guard.js'
import { scanCode } from '../../src/platform/trust/scan-code.js'
import { createSettings, type SettingsFixture } from '../policy/settings-fixture.js'

afterEach(() => vi.unstubAllEnvs())

type Files = Record<string, string>

function placeOf(files: Files): SettingsFixture {
  const place = createSettings()
  mkdirSync(place.project, { recursive: true })
  for (const [name, text] of Object.entries(files)) place.write(name, text)
  return place
}

const configIn = (files: Files): string => Object.keys(files).find((name) => name.startsWith('toolcrib.'))!

const YAML = 'toolcrib.yaml'
const MODULE = { [YAML]: 'tools: [./tools.mjs]\n' }
const hook = (command: string): Files => ({ [YAML]: `hooks: [{ id: h, event: pre_tool_use, ${command} }]\n` })
const server = (entry: string): Files => ({ [YAML]: `mcpServers: { s: { ${entry} } }\n` })

describe('a change of any file that a config names revokes its trust, and the file is named', () => {
  it.each<[string, Files, string]>([
    ['a module', { ...MODULE, 'tools.mjs': '1' }, 'tools.mjs'],
    [
      'an import',
      { ...MODULE, 'tools.mjs': "import './a.mjs'", 'a.mjs': "export*from'./b.mjs'", 'b.mjs': '1' },
      'b.mjs',
    ],
    ['after a comment', { ...MODULE, 'tools.mjs': "/* don't */ import './a.mjs'", 'a.mjs': '1' }, 'a.mjs'],
    ['within one', { ...MODULE, 'tools.mjs': "import/* ' */x from/*'*/'./a.mjs'", 'a.mjs': '1' }, 'a.mjs'],
    ['written otherwise', { ...MODULE, 'tools.mjs': String.raw`import './\x61.mjs'`, 'a.mjs': '1' }, 'a.mjs'],
    ['at run time', { ...MODULE, 'tools.mjs': 'await import(`./a.mjs`)', 'a.mjs': '1' }, 'a.mjs'],
    [
      'of CommonJS',
      { ...MODULE, 'tools.mjs': "require('./lib')", 'lib/index.js': "require('./x')", 'lib/x.js': '1' },
      'lib/x.js',
    ],
    ['of TypeScript', { [YAML]: 'tools: [./t.ts]\n', 't.ts': "import './a.js'", 'a.ts': '1' }, 'a.ts'],
    [
      'a worker',
      { ...MODULE, 'tools.mjs': "new Worker(new URL('./w.mjs', import.meta.url))", 'w.mjs': '1' },
      'w.mjs',
    ],
    [
      'a joined name',
      { ...MODULE, 'tools.mjs': "fork(join(here, 'child.cjs'))", 'child.cjs': '1' },
      'child.cjs',
    ],
    [
      'a name of package.json',
      {
        ...MODULE,
        'tools.mjs': "import '#a/x'",
        'package.json': '{"imports":{"#a/*":{"node":"./src/*.mjs"}}}',
        'src/x.mjs': '1',
      },
      'src/x.mjs',
    ],
    [
      'a package',
      {
        ...MODULE,
        'tools.mjs': "import '@a/b/c'",
        'node_modules/@a/b/package.json': '{"exports":{"./c":{"import":"./d.js"}}}',
        'node_modules/@a/b/d.js': "import './e.js'",
        'node_modules/@a/b/e.js': '1',
      },
      'node_modules/@a/b/e.js',
    ],
    [
      'a package by its own name',
      {
        ...MODULE,
        'tools.mjs': "import 'selfy/inner'",
        'package.json': '{"name":"selfy","exports":{"./inner":"./src/deep.mjs"}}',
        'src/deep.mjs': '1',
      },
      'src/deep.mjs',
    ],
    ['letters as numbers', { ...MODULE, 'tools.mjs': "import './%70ct.mjs?x'", 'pct.mjs': '1' }, 'pct.mjs'],
    ['a name with a sign', { ...MODULE, 'tools.mjs': "require('./a#b.cjs')", 'a#b.cjs': '1' }, 'a#b.cjs'],
    ['with a tab', { ...MODULE, 'tools.mjs': String.raw`import './a\tb.mjs'`, 'ab.mjs': '1' }, 'ab.mjs'],
    [
      'a main that is a folder',
      {
        ...MODULE,
        'tools.mjs': "require('pkg')",
        'node_modules/pkg/package.json': '{"main":"lib"}',
        'node_modules/pkg/lib/index.js': '1',
      },
      'node_modules/pkg/lib/index.js',
    ],
    [
      'a package of one file',
      { ...MODULE, 'tools.mjs': "require('one')", 'node_modules/one.js': '1' },
      'node_modules/one.js',
    ],
    [
      'a package further up',
      {
        [YAML]: 'tools: [./sub/t.mjs]\n',
        'sub/t.mjs': "require('up')",
        'sub/node_modules/up/README': '',
        'node_modules/up.js': '1',
      },
      'node_modules/up.js',
    ],
    ...[
      "require?.('one')",
      "(require)('one')",
      "(0, require)('one')",
      "createRequire(import.meta.url)('one')",
      "const r = require\nr('one')",
      "const r = createRequire(import.meta.url); r('one')",
      String.raw`requir\u0065('one')`,
      String.raw`require('\157ne')`,
      "require.call(null, 'one')",
      "import x from // '\r'one'",
      "import x from // no\u2028'one'",
      "import x from // no\u2029/* no /* no */'one'",
      "const u = 'http://x'; export * from\n'one'",
      "module.constructor._load('one')",
    ].map((code): [string, Files, string] => [
      `the import of ${JSON.stringify(code)}`,
      { ...MODULE, 'tools.mjs': code, 'node_modules/one.js': '1' },
      'node_modules/one.js',
    ]),
    ['a hook', { ...hook('command: ./check'), check: '#!/bin/sh\n' }, 'check'],
    [
      'a hook by its variable',
      { ...hook(`command: 'bash "$TOOLCRIB_PROJECT/a b.sh"'`), 'a b.sh': '1' },
      'a b.sh',
    ],
    ['a hook as elsewhere', { ...hook("command: '${CLAUDE_PROJECT_DIR}/h/x.sh'"), 'h/x.sh': '1' }, 'h/x.sh'],
    ['a hook in a folder', { ...hook("command: 'cd h && exec ./x.sh'"), 'h/x.sh': '1' }, 'h/x.sh'],
    [
      'what a script runs',
      { ...hook('command: ./a.sh'), 'a.sh': '. "$(dirname "$0")/lib/b.sh"', 'lib/b.sh': '1' },
      'lib/b.sh',
    ],
    [
      'an argument',
      { ...hook('command: node, args: [./x.mjs]'), 'x.mjs': "import './y.mjs'", 'y.mjs': '1' },
      'y.mjs',
    ],
    [
      'a Python module',
      { ...hook("command: 'python3 -m pkg.run'"), 'pkg/run.py': 'import other', 'pkg/other.py': '1' },
      'pkg/other.py',
    ],
    [
      'a script of npm',
      { ...hook("command: 'npm run only-here'"), 'package.json': '{"scripts":{"only-here":"x"}}' },
      'package.json',
    ],
    ...['sh', 'bash -x', 'dash', 'perl', 'ruby', 'python3', 'node', 'php', 'env A=b sh', '.', 'sh <'].map(
      (program): [string, Files, string] => [
        `${program} with a file of any name`,
        { ...hook(`command: '${program} ./hooks/check.txt'`), 'hooks/check.txt': '1' },
        'hooks/check.txt',
      ],
    ),
    [
      'a server of any name',
      { ...server('command: node, args: [--no-warnings, ./srv.txt]'), 'srv.txt': '1' },
      'srv.txt',
    ],
    ...[
      '. ./h/common',
      'source h/common',
      'exec ./h/common',
      "sh h/common # don't",
      '. "$(dirname "$0")/h/common"',
    ].map((line): [string, Files, string] => [
      `a script that says ${line}`,
      { ...hook('command: ./a.sh'), 'a.sh': `x\n${line}\n`, 'h/common': '1' },
      'h/common',
    ]),
    [
      'what a file of any name runs',
      { ...hook("command: 'sh ./a.txt'"), 'a.txt': '. ./b\n', b: 'node c.log', 'c.log': '1' },
      'c.log',
    ],
    ...[String.raw`node srv.js`, String.raw`node \u0073rv`, 'cd . && node ./srv'].map(
      (script): [string, Files, string] => [
        `a script of npm that says ${script}`,
        {
          ...server('command: npm, args: [run, begin]'),
          'package.json': `{"scripts":{"begin":"${script}"}}`,
          'srv.js': '1',
        },
        'srv.js',
      ],
    ),
    [
      'a recipe',
      { ...hook("command: 'make check'"), Makefile: 'check:\n\t@sh ./x.txt\n', 'x.txt': '1' },
      'x.txt',
    ],
    ...(
      [
        ['import os, m1, sys', 'm1.py'],
        ['import os as o, m1 as m', 'm1.py'],
        ['from pkg import m2', 'pkg/m2.py'],
        ['from pkg import (x,\n  m2)', 'pkg/m2.py'],
        ['from pkg.sub import m4', 'pkg/sub/m4.py'],
        ['import os; import m1', 'm1.py'],
        ['if 1: import m1', 'm1.py'],
        ['from . import m1', 'm1.py'],
        ['from.m1 import x', 'm1.py'],
        ['from os import path, \\\n  sep; import m1', 'm1.py'],
        ["import sys; sys.path.insert(0, 'libs'); import m5", 'libs/m5.py'],
        ["__import__('m1')", 'm1.py'],
        ["subprocess.run(['sh', 'x.sh'])", 'x.sh'],
      ] as const
    ).map(([code, changed]): [string, Files, string] => [
      `the Python of ${JSON.stringify(code)}`,
      {
        ...hook("command: 'python3 ./a.py'"),
        'a.py': code,
        'pkg/__init__.py': '',
        'libs/x': '',
        [changed]: '1',
      },
      changed,
    ]),
    ...(
      [
        ["use lib 'inc'; use Foo::Bar;", 'inc/Foo/Bar.pm'],
        ['require Foo;', 'lib/Foo.pm'],
        ["require './x.pl';", 'x.pl'],
      ] as const
    ).map(([code, changed]): [string, Files, string] => [
      `the Perl of ${JSON.stringify(code)}`,
      { ...hook("command: 'perl ./a.pl'"), 'a.pl': code, [changed]: '1' },
      changed,
    ]),
    ['a Makefile', { ...hook("command: 'make -s check'"), Makefile: 'check:\n' }, 'Makefile'],
    ['a server', { ...server('command: node, args: [./s.mjs]'), 's.mjs': '1' }, 's.mjs'],
    ['a server in a folder', { ...server('command: ./run, cwd: sub'), 'sub/run': '1' }, 'sub/run'],
    [
      'what its variables load',
      { ...server("command: node, env: { NODE_OPTIONS: '--import ./p.mjs' }"), 'p.mjs': '1' },
      'p.mjs',
    ],
    [
      'a local program of npx',
      { ...server('command: npx, args: [-y, srv]'), 'node_modules/.bin/srv': '1' },
      'node_modules/.bin/srv',
    ],
    ['the registry of npx', { ...server('command: npx, args: [-y, srv]'), '.npmrc': 'registry=x' }, '.npmrc'],
    [
      'a policy',
      { [YAML]: 'permission: { engine: { cedar: [./p/*.cedar] } }\n', 'p/a.cedar': '' },
      'p/a.cedar',
    ],
    [
      'what a program names',
      {
        'toolcrib.config.mjs': "export default { tools: ['./t/*.mjs'] }",
        't/a.mjs': "import '../b.mjs'",
        'b.mjs': '1',
      },
      'b.mjs',
    ],
    [
      'what a program imports',
      { 'toolcrib.config.mjs': "import './a.mjs'\nexport default {}", 'a.mjs': '1' },
      'a.mjs',
    ],
    [
      'the script of a program',
      {
        'toolcrib.config.mjs': `export default { hooks: [{ id: 'h', event: 'pre_tool_use', command: 'sh ./x.sh' }] }`,
        'x.sh': '1',
      },
      'x.sh',
    ],
  ])('%s', async (_title, files, changed) => {
    const place = placeOf(files)
    const [name, path] = [configIn(files), join(place.project, changed)]
    const why = async (): Promise<unknown> => {
      const loaded = await loadSettings({ cwd: place.project })
      return loaded.ok ? loaded.trust : loaded.problems[0]!.message
    }
    place.trust(name)
    if (name === YAML) expect(await why()).toEqual({ isTrusted: true })
    place.write(changed, `${place.read(changed)}\n# changed`)
    if (name === YAML) expect(await why()).toEqual({ isTrusted: false, why: 'changed', file: path })
    else expect(await why()).toContain(`${changed} has changed since you trusted it`)
    place.trust(name)
    // A file that did not exist and was created since, under a name that is looked up.
    unlinkSync(path)
    place.trust(name)
    place.write(changed, '#!/bin/sh\n')
    const added = await why()
    if (name === YAML) expect(added).toMatchObject({ isTrusted: false, file: path })
    else expect(added).toMatch(/was not there when you trusted it|has changed/)
  })

  it('the manifest in which a package declares its own name', async () => {
    const manifest = '{"name":"selfy","exports":{"./inner":"./a.mjs"}}'
    const place = placeOf({ ...MODULE, 'tools.mjs': "import 'selfy/inner'", 'a.mjs': '1' })
    const path = place.write('package.json', manifest)
    place.trust()
    place.write('package.json', manifest.replace('a.mjs', 'b.mjs'))
    expect((await place.settings()).trust).toMatchObject({ why: 'changed', file: path })
    unlinkSync(path)
    place.trust()
    place.write('package.json', manifest)
    expect((await place.settings()).trust).toMatchObject({ why: 'added' })
  })

  it('a link with another target', async () => {
    const place = placeOf({ ...MODULE, 'a.mjs': '1', 'b.mjs': '2' })
    symlinkSync('a.mjs', join(place.project, 'tools.mjs'))
    place.trust()
    expect((await place.settings()).trust.isTrusted).toBe(true)
    unlinkSync(join(place.project, 'tools.mjs'))
    symlinkSync('b.mjs', join(place.project, 'tools.mjs'))
    expect((await place.settings()).trust).toMatchObject({ file: join(place.project, 'tools.mjs') })
  })

  it('also while it is in use: a guard detects it without reading everything each time', async () => {
    const place = placeOf({ ...hook('command: ./a.sh'), 'a.sh': '1' })
    place.trust()
    const { configPath, config } = await place.settings()
    const guard = createTrustGuard(configPath, config)
    expect([guard(), guard()]).toEqual([undefined, undefined])
    place.write('a.sh', '2')
    expect(guard()).toContain('a.sh has changed since you trusted it')
    place.write('a.sh', '1')
    expect(guard()).toBe(undefined)
  })

  it.each<[string, Files, Files]>([
    [
      'a package that is closer to an import, in a folder that holds no trusted file',
      {
        [YAML]: 'tools: [./a/b/c.mjs]\n',
        'a/b/c.mjs': "import 'x'",
        'node_modules/x.js': '1',
      },
      { 'a/node_modules/x.js': '2' },
    ],
    [
      'a file in a folder that was not there',
      { ...MODULE, 'tools.mjs': "import './lib/x'\nimport './x.js'", 'x.js': '1' },
      { 'lib/x/index.js': '2' },
    ],
    [
      'a match of a glob in a new folder',
      { [YAML]: 'tools: [./tools/**/*.mjs]\n', 'tools/a.mjs': '1' },
      { 'tools/deep/b.mjs': '2' },
    ],
  ])('while it is in use, a guard detects %s', async (_title, files, added) => {
    const place = placeOf(files)
    place.trust()
    const { configPath, config } = await place.settings()
    const guard = createTrustGuard(configPath, config)
    expect(guard()).toBe(undefined)
    for (const [name, text] of Object.entries(added)) place.write(name, text)
    expect(guard()).toContain('which was not there when you trusted it')
  })

  it('the loaded files stay trusted while a later text of the config needs trust, but not the files that it names', async () => {
    const place = placeOf({ ...hook('command: ./a.sh'), 'a.sh': '1' })
    place.trust()
    const { configPath, config } = await place.settings()
    const guard = createTrustGuard(configPath, config)
    const [name, text] = Object.entries(hook('command: ./b.sh'))[0]!
    place.write(name, text)
    expect(guard()).toBe(undefined)
    place.write('a.sh', '2')
    expect(guard()).toContain('has changed since you trusted it')
  })
})

describe('data files need no trust', () => {
  it.each<[string, Files, string]>([
    ['what a hook writes', hook(`command: 'cat > "$TOOLCRIB_PROJECT/said.json"'`), 'said.json'],
    ['a database of a server', server("command: srv, args: ['--db', ./notes.sqlite]"), 'notes.sqlite'],
    [
      'a database of a script',
      { ...server("command: node, args: [./s.mjs, '--db', ./n.db]"), 's.mjs': '1' },
      'n.db',
    ],
    ['a database of a module', server("command: python3, args: [-m, srv, '--db', ./n.db]"), 'n.db'],
    [
      'what a script of npm reads',
      {
        ...hook("command: 'npm run x'"),
        'package.json': '{"scripts":{"x":"node x.js notes.txt"},"files":["state"]}',
      },
      'notes.txt',
    ],
    ['the folder of a server', server("command: srv, args: ['.']"), 'index.js'],
    ['a file that a module reads', { ...MODULE, 'tools.mjs': "readFileSync('./state.json')" }, 'state.json'],
  ])('%s', async (_title, files, name) => {
    const place = placeOf(files)
    place.trust()
    place.write(name, 'x')
    expect((await place.settings()).trust).toEqual({ isTrusted: true })
  })
})

describe('an untrusted config', () => {
  it('imports no module, and prints the command to trust it', async () => {
    const place = placeOf({
      ...MODULE,
      'tools.mjs':
        "import { writeFileSync } from 'node:fs'\nwriteFileSync(new URL('./ran', import.meta.url), '')",
    })
    const loaded = await loadTools({ cwd: place.project })
    expect(loaded).toMatchObject({ ok: true, drafts: [], trust: { isTrusted: false, why: 'unknown' } })
    expect(existsSync(join(place.project, 'ran'))).toBe(false)
  })

  it.each([
    'store: { path: ../elsewhere.db }\n',
    'blobs: { path: /var/blobs }\n',
    'blobs: { kind: s3, bucket: a-bucket, region: r }\n',
  ])('keeps its records in its folder: %j', async (text) => {
    const place = placeOf({ [YAML]: text })
    await expect(place.settings()).rejects.toThrow('which counts once you trust this file: toolcrib trust')
    place.trust()
    await expect(place.settings()).resolves.toMatchObject({ trust: { isTrusted: true } })
  })
})

it('lines with computed imports are reported, because the text does not show the target', () => {
  const code =
    "import a from 'a'\nconst b = await import(a)\nrequire(`./${b}`)\nimport('./c')\n// import.meta\n"
  expect(scanCode(code).computedAt.toSorted()).toEqual([2, 3])
  const place = placeOf({ ...MODULE, 'tools.mjs': code })
  const read = readConfigFile(join(place.project, YAML), { tools: ['./tools.mjs'] })
  expect(filesOf(read).computed).toEqual(
    [2, 3].map((line) => ({ file: join(place.project, 'tools.mjs'), line })),
  )
})

it.each([
  "import('./' + name)",
  'require?.(name)',
  'import(/* any */ name)',
  'const r = require',
  'f(require)',
  'const r = createRequire(here)',
  'Module._load(name)',
  'eval(text)',
  'new Function(text)',
  "import 'data:text/javascript,1'",
  String.raw`requir\u0065(name)`,
])('%j is reported as computed', (code) => {
  expect(scanCode(`1\n${code}`).computedAt).toEqual([2])
})

it.each([
  "const require = createRequire(import.meta.url)\nrequire('./a')",
  "import { createRequire } from 'node:module'",
  "import(/* webpackChunkName: 'x' */ './a')",
  "import('./a', { with: {} })",
  'if (require.main === module) main()',
  '// these require care\n',
])('%j is not reported as computed', (code) => {
  expect(scanCode(code).computedAt).toEqual([])
})

it('a text of many comments is scanned quickly', () => {
  const code = `import${'/**/'.repeat(20_000)}${'// x '.repeat(20_000)}\n'`
  expect(scanCode(code).imported.size).toBe(0)
})

it('scripts in languages without an exact reader are reported as guessed', () => {
  const place = placeOf({ ...hook("command: 'ruby ./a.rb'"), 'a.rb': 'load name' })
  const hooks = [{ id: 'h', event: 'pre_tool_use' as const, command: 'ruby ./a.rb' }]
  const { guessed } = filesOf(readConfigFile(join(place.project, YAML), { hooks }))
  expect(guessed).toEqual([join(place.project, 'a.rb')])
})
