import { symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { expandPaths } from '../../../src/platform/config/expand-paths.js'
import { openTemporaryFolder } from '../../temporary-folder.js'

const folder = openTemporaryFolder()
for (const name of [
  'one.ts',
  'tools/b.ts',
  'tools/a.ts',
  'tools/types.d.ts',
  'tools/.hidden.ts',
  'tools/c.js',
  'tools/deep/d.ts',
  'tools/deep/er/e.ts',
  'tools/node_modules/pkg/n.ts',
  'tools/.cache/x.ts',
  'x/tools/f.ts',
  'a+b(1).ts',
]) {
  folder.write(name, '')
}
const project = join(folder.path, 'x')

function expand(patterns: string[], from = folder.path) {
  const { paths, missing } = expandPaths(patterns, from)
  return { paths: paths.map((path) => relative(folder.path, path).replaceAll('\\', '/')), missing }
}

test.each<[string, string[]]>([
  ['one.ts', ['one.ts']],
  ['./tools/a.ts', ['tools/a.ts']],
  ['tools/*.ts', ['tools/a.ts', 'tools/b.ts']],
  ['./tools/*', ['tools/a.ts', 'tools/b.ts', 'tools/c.js']],
  ['tools/**/*.ts', ['tools/a.ts', 'tools/b.ts', 'tools/deep/d.ts', 'tools/deep/er/e.ts']],
  ['tools/**', ['tools/a.ts', 'tools/b.ts', 'tools/c.js', 'tools/deep/d.ts', 'tools/deep/er/e.ts']],
  ['**/**/e.ts', ['tools/deep/er/e.ts']],
  ['**/deep/**/e.ts', ['tools/deep/er/e.ts']],
  ['*/tools/*.ts', ['x/tools/f.ts']],
  ['tools/.cache/*.ts', ['tools/.cache/x.ts']],
  ['tools/node_modules/pkg/*.ts', ['tools/node_modules/pkg/n.ts']],
  ['tools/.*.ts', ['tools/.hidden.ts']],
  ['a+b(1)*.ts', ['a+b(1).ts']],
])('%s', (pattern, paths) => expect(expand([pattern])).toEqual({ paths, missing: [] }))

test('relative to the folder given, upward too, and absolute', () => {
  expect(expand(['tools/*.ts', '../o*.ts'], project).paths).toEqual(['one.ts', 'x/tools/f.ts'])
  expect(expand([join(folder.path, 'one.ts'), join(folder.path, 'tools/c*')], project).paths).toEqual([
    'one.ts',
    'tools/c.js',
  ])
})

test('returns each file once and sorted, in any order of the patterns', () => {
  expect(expand(['tools/b.ts', 'tools/*.ts', 'one.ts']).paths).toEqual(['one.ts', 'tools/a.ts', 'tools/b.ts'])
})

test('returns patterns that match nothing as they were written', () => {
  expect(expand(['gone.ts', 'tools', 'nowhere/*.ts', 'one.ts', '*.py'])).toEqual({
    paths: ['one.ts'],
    missing: ['gone.ts', 'tools', 'nowhere/*.ts', '*.py'],
  })
})

test.skipIf(process.platform === 'win32')('a link that points upward does not make the walk endless', () => {
  const looped = openTemporaryFolder()
  looped.write('in/a.ts', '')
  symlinkSync(looped.path, join(looped.path, 'in/up'))
  expect(expandPaths(['**/*.ts'], looped.path).paths).toEqual([join(looped.path, 'in/a.ts')])
})
