import { existsSync, linkSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../temporary-folder.js'
import { openFiles, textOf } from './open-files.js'

const SECRET = 'the-content-outside'

/** A workspace beside a folder that no call may reach. */
function makeTree(): { base: string; workspace: string; outside: string } {
  const base = temporaryFolder()
  const workspace = join(base, 'ws')
  const outside = join(base, 'outside')
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  put(join(workspace, 'a.txt'), 'inside a\n')
  put(join(workspace, 'sub/b.txt'), 'inside b\n')
  put(join(workspace, 'sub/deep/er/c.txt'), 'inside c\n')
  put(join(workspace, 'with space/d e.txt'), 'inside d\n')
  put(join(workspace, '..hidden/e.txt'), 'inside e\n')
  put(join(workspace, '...'), 'inside dots\n')
  put(join(workspace, 'caf\u00e9.txt'), 'inside composed\n')
  put(join(workspace, 'ws/a.txt'), 'inside nested\n')
  put(join(workspace, 'back\\slash.txt'), 'inside backslash\n')
  put(join(workspace, '%2e%2e/f.txt'), 'inside percent\n')
  put(join(outside, 'secret.txt'), `${SECRET}\n`)
  put(join(outside, 'folder/more.txt'), `${SECRET}\n`)
  put(join(base, 'ws-evil/secret.txt'), `${SECRET}\n`)
  put(join(base, 'wsx'), `${SECRET}\n`)
  const link = (name: string, target: string): void => symlinkSync(target, join(workspace, name))
  link('in-file', 'sub/b.txt')
  link('in-folder', 'sub')
  link('in-absolute', join(workspace, 'a.txt'))
  link('in-chain', 'in-file')
  link('in-up-and-down', '../ws/a.txt')
  link('in-dangling', 'sub/new.txt')
  link('out-file', '../outside/secret.txt')
  link('out-folder', '../outside')
  link('out-absolute', join(outside, 'secret.txt'))
  link('out-chain', 'out-chain-2')
  link('out-chain-2', 'out-file')
  link('out-through-folder', 'out-folder/secret.txt')
  link('out-dangling', '../outside/new.txt')
  link('out-dangling-folder', '../outside/new-folder')
  link('out-parent', '..')
  link('out-root', '/')
  link('out-proc', '/proc/self/root')
  link('out-evil', '../ws-evil/secret.txt')
  link('loop', 'loop')
  symlinkSync('../../outside', join(workspace, 'sub/out'))
  symlinkSync('..', join(workspace, 'sub/up'))
  linkSync(join(workspace, 'a.txt'), join(workspace, 'second-name.txt'))
  return { base, workspace, outside }
}

const at = (tree: ReturnType<typeof makeTree>, path: string): string =>
  path.replaceAll('{ws}', tree.workspace).replaceAll('{out}', tree.outside).replaceAll('{base}', tree.base)

const READ_REFUSED = [
  '../outside/secret.txt',
  './../outside/secret.txt',
  'sub/../../outside/secret.txt',
  'sub/deep/../../../outside/secret.txt',
  'missing/../../outside/secret.txt',
  '..//outside/secret.txt',
  '../outside/./secret.txt',
  '../ws-evil/secret.txt',
  '../wsx',
  '../ws/../outside/secret.txt',
  '{out}/secret.txt',
  '{ws}/../outside/secret.txt',
  '{ws}-evil/secret.txt',
  '{ws}x',
  '{ws}/sub/../../outside/secret.txt',
  '//{out}/secret.txt',
  'out-file',
  'out-absolute',
  'out-chain',
  'out-through-folder',
  'out-evil',
  'out-folder/secret.txt',
  'out-folder/folder/more.txt',
  'out-folder/../outside/secret.txt',
  'out-parent/outside/secret.txt',
  'out-parent/ws/../outside/secret.txt',
  'out-root/etc/passwd',
  'out-proc/etc/passwd',
  'sub/out/secret.txt',
  'sub/up/out-file',
  'in-folder/out/secret.txt',
  'in-folder/up/out-folder/secret.txt',
  'loop',
  'loop/secret.txt',
  '/etc/passwd',
  '/proc/self/environ',
  '/proc/self/cwd/../outside/secret.txt',
  '/dev/zero',
  '/dev/stdin',
  '\u2025/outside/secret.txt',
  '\uff0e\uff0e/outside/secret.txt',
  '..\u2215outside\u2215secret.txt',
  '..\\outside\\secret.txt',
  '%2e%2e/outside/secret.txt',
  '%2e%2e%2foutside%2fsecret.txt',
  '~/../outside/secret.txt',
  'file://{out}/secret.txt',
  'a.txt\0/../../outside/secret.txt',
  '\ud800/../../outside/secret.txt',
  'A.TXT',
  'cafe\u0301.txt',
  'a.txt/../../outside/secret.txt',
  `${'x/'.repeat(3000)}a.txt`,
]

const READ_ALLOWED: readonly (readonly [string, string])[] = [
  ['a.txt', 'inside a'],
  ['./a.txt', 'inside a'],
  ['{ws}/a.txt', 'inside a'],
  ['{ws}//sub/./b.txt', 'inside b'],
  ['sub/../a.txt', 'inside a'],
  ['missing/../a.txt', 'inside a'],
  ['../ws/a.txt', 'inside a'],
  ['sub/deep/er/c.txt', 'inside c'],
  ['sub/deep/er/../../b.txt', 'inside b'],
  ['with space/d e.txt', 'inside d'],
  ['..hidden/e.txt', 'inside e'],
  ['...', 'inside dots'],
  ['caf\u00e9.txt', 'inside composed'],
  ['ws/a.txt', 'inside nested'],
  ['back\\slash.txt', 'inside backslash'],
  ['%2e%2e/f.txt', 'inside percent'],
  ['in-file', 'inside b'],
  ['in-folder/b.txt', 'inside b'],
  ['in-absolute', 'inside a'],
  ['in-chain', 'inside b'],
  ['in-up-and-down', 'inside a'],
  ['sub/up/a.txt', 'inside a'],
  ['in-folder/up/sub/b.txt', 'inside b'],
  ['out-parent/ws/a.txt', 'inside a'],
  ['second-name.txt', 'inside a'],
]

const WRITE_REFUSED = [
  '../outside/secret.txt',
  '../outside/new.txt',
  '../new.txt',
  'sub/../../outside/new.txt',
  '{out}/new.txt',
  '{ws}-evil/new.txt',
  '{ws}new',
  'out-file',
  'out-chain',
  'out-dangling',
  'out-dangling-folder/new.txt',
  'out-folder/new.txt',
  'out-folder/made/new.txt',
  'out-parent/outside/new.txt',
  'out-root/tmp/toolcrib-path-suite-new.txt',
  'sub/out/new.txt',
  'in-folder/out/new.txt',
  'loop',
  'new\0.txt',
  '/dev/null',
  '/proc/self/comm',
  '.',
  'sub',
]

const WRITE_ALLOWED: readonly (readonly [string, string])[] = [
  ['new.txt', 'new.txt'],
  ['made/for/it.txt', 'made/for/it.txt'],
  ['{ws}/new.txt', 'new.txt'],
  ['sub/../new.txt', 'new.txt'],
  ['a.txt', 'a.txt'],
  ['in-file', 'sub/b.txt'],
  ['in-dangling', 'sub/new.txt'],
  ['in-folder/new.txt', 'sub/new.txt'],
  ['out-parent/ws/new.txt', 'new.txt'],
  ['..named', '..named'],
]

const OTHERS_REFUSED: readonly (readonly [string, Record<string, unknown>])[] = [
  ['list_files', { path: '..' }],
  ['list_files', { path: '{out}' }],
  ['list_files', { path: 'out-folder' }],
  ['list_files', { path: 'out-root' }],
  ['list_files', { path: 'sub/out' }],
  ['list_files', { path: '/proc/self/fd' }],
  ['glob_files', { pattern: '../outside/*' }],
  ['glob_files', { pattern: '/etc/*' }],
  ['glob_files', { pattern: '*', path: 'out-folder' }],
  ['glob_files', { pattern: 'sub/../../outside/*' }],
  ['search_files', { pattern: SECRET, path: '..' }],
  ['search_files', { pattern: SECRET, path: 'out-folder' }],
  ['search_files', { pattern: SECRET, path: 'out-file' }],
  ['search_files', { pattern: SECRET, path: '{out}/secret.txt' }],
  ['edit_file', { path: 'out-file', old_text: SECRET, new_text: 'x' }],
  ['edit_file', { path: '../outside/secret.txt', old_text: SECRET, new_text: 'x' }],
  ['edit_file', { path: 'out-folder/secret.txt', old_text: SECRET, new_text: 'x' }],
  ['move_file', { from: '../outside/secret.txt', to: 'stolen.txt' }],
  ['move_file', { from: 'out-folder/secret.txt', to: 'stolen.txt' }],
  ['move_file', { from: 'a.txt', to: '../outside/a.txt' }],
  ['move_file', { from: 'a.txt', to: 'out-folder/a.txt' }],
  ['move_file', { from: 'a.txt', to: 'sub/b.txt' }],
  ['move_file', { from: 'sub', to: 'sub/deep/sub' }],
  ['move_file', { from: '.', to: '../elsewhere' }],
  ['delete_file', { path: '../outside/secret.txt' }],
  ['delete_file', { path: 'out-folder/secret.txt' }],
  ['delete_file', { path: 'out-folder/folder', recursive: true }],
  ['delete_file', { path: '.', recursive: true }],
  ['delete_file', { path: '..', recursive: true }],
  ['delete_file', { path: 'sub' }],
  ['restore_file', { path: '../outside/secret.txt' }],
]

/** All content of the folders around the workspace. */
const untouched = ({ base, outside }: ReturnType<typeof makeTree>): void => {
  for (const path of [join(outside, 'secret.txt'), join(outside, 'folder/more.txt'), join(base, 'wsx')])
    expect(readFileSync(path, 'utf8')).toBe(`${SECRET}\n`)
  for (const name of ['new.txt', 'new-folder', 'made', 'a.txt'])
    expect(existsSync(join(outside, name))).toBe(false)
}

describe.each([
  ['rules judge the call', {}],
  ['a host decides and does not look at paths', { decider: () => ({ behavior: 'allow' as const }) }],
])('paths of file tools, where %s', (_, options) => {
  it.each(READ_REFUSED)('read_file refuses %j', async (path) => {
    const tree = makeTree()
    const { call } = await openFiles(tree.workspace, options)
    const result = await call('read_file', { path: at(tree, path) })
    expect(result.is_error).toBe(true)
    expect(JSON.stringify(result)).not.toContain(SECRET)
  })

  it.each(READ_ALLOWED)('read_file reads %j', async (path, content) => {
    const tree = makeTree()
    const { call } = await openFiles(tree.workspace, options)
    const result = await call('read_file', { path: at(tree, path), line_numbers: false })
    expect(textOf(result)).toBe(content)
  })

  it.each(WRITE_REFUSED)('write_file refuses %j', async (path) => {
    const tree = makeTree()
    const { call } = await openFiles(tree.workspace, options)
    const result = await call('write_file', { path: at(tree, path), content: 'changed' })
    expect(result.is_error).toBe(true)
    untouched(tree)
  })

  it.each(WRITE_ALLOWED)('write_file writes %j', async (path, written) => {
    const tree = makeTree()
    const { call } = await openFiles(tree.workspace, options)
    const result = await call('write_file', { path: at(tree, path), content: 'changed' })
    expect(result.error?.message).toBeUndefined()
    expect(readFileSync(join(tree.workspace, written), 'utf8')).toBe('changed')
  })

  it.each(OTHERS_REFUSED)('%s refuses %j', async (name, input) => {
    const tree = makeTree()
    const { call } = await openFiles(tree.workspace, options)
    const given = Object.fromEntries(
      Object.entries(input).map(([key, value]) => [key, typeof value === 'string' ? at(tree, value) : value]),
    )
    const result = await call(name, given)
    expect(result.is_error).toBe(true)
    expect(JSON.stringify(result.model_facing_content)).not.toContain('more.txt')
    untouched(tree)
    expect(readFileSync(join(tree.workspace, 'sub/b.txt'), 'utf8')).toBe('inside b\n')
  })

  it('a walk does not follow links out of the folder', async () => {
    const tree = makeTree()
    const { call } = await openFiles(tree.workspace, options)
    const found = await call('search_files', { pattern: SECRET })
    expect(found.structured_content).toMatchObject({ matches: [], is_complete: true })
    const names = await call('glob_files', { pattern: '*.txt' })
    expect(JSON.stringify(names)).not.toContain('secret.txt')
  })

  it('moving and deleting a link leaves its target alone', async () => {
    const tree = makeTree()
    const { call } = await openFiles(tree.workspace, options)
    expect((await call('move_file', { from: 'out-file', to: 'moved' })).is_error).toBeFalsy()
    expect(lstatSync(join(tree.workspace, 'moved')).isSymbolicLink()).toBe(true)
    expect((await call('delete_file', { path: 'moved' })).is_error).toBeFalsy()
    expect((await call('delete_file', { path: 'out-folder' })).is_error).toBeFalsy()
    untouched(tree)
  })
})

describe('roots', () => {
  it('may be several, and may themselves be links', async () => {
    const tree = makeTree()
    symlinkSync(tree.outside, join(tree.base, 'alias'))
    const settings = { roots: [tree.workspace, join(tree.base, 'alias')] }
    const { call } = await openFiles(tree.workspace, { settings })
    for (const path of [
      'a.txt',
      'out-file',
      join(tree.base, 'alias/secret.txt'),
      join(tree.outside, 'secret.txt'),
    ])
      expect((await call('read_file', { path })).is_error).toBeFalsy()
    expect((await call('read_file', { path: join(tree.base, 'wsx') })).is_error).toBe(true)
  })
})
