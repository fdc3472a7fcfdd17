import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configFileNames, findConfig } from '../../../src/platform/config/find-config.js'
import { openTemporaryFolder } from '../../temporary-folder.js'

test('searches from the folder upward and stops at the nearest', () => {
  const folder = openTemporaryFolder()
  const outer = folder.write('toolcrib.yaml', '')
  const inner = folder.write('a/b/toolcrib.json', '{}')
  mkdirSync(join(folder.path, 'a/b/c/d'), { recursive: true })
  expect(findConfig(join(folder.path, 'a/b/c/d'))).toBe(inner)
  expect(findConfig(join(folder.path, 'a/b'))).toBe(inner)
  expect(findConfig(join(folder.path, 'a'))).toBe(outer)
})

test('uses the names in their order when one folder has several', () => {
  const folder = openTemporaryFolder()
  const files = configFileNames.map((name) => folder.write(name, ''))
  for (const file of files) {
    expect(findConfig(folder.path)).toBe(file)
    rmSync(file)
  }
})

test('ignores a folder of that name, and searches upward from a folder that does not exist', () => {
  const folder = openTemporaryFolder()
  mkdirSync(join(folder.path, 'x/toolcrib.yaml'), { recursive: true })
  const file = folder.write('toolcrib.config.mjs', '')
  expect(findConfig(join(folder.path, 'x'))).toBe(file)
  expect(findConfig(join(folder.path, 'gone/deeper'))).toBe(file)
})

test('finds nothing up to the root', () => {
  const folder = openTemporaryFolder()
  expect(findConfig(folder.path)).toBeUndefined()
})
