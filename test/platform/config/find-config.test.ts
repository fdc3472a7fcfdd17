import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configFileNames, findConfig } from '../../../src/platform/config/find-config.js'
import { temporaryFolder } from './temporary-folder.js'

test('searches from the folder upward and stops at the nearest', () => {
  const folder = temporaryFolder()
  const outer = folder.write('toolcrib.yaml', '')
  const inner = folder.write('a/b/toolcrib.json', '{}')
  mkdirSync(join(folder.path, 'a/b/c/d'), { recursive: true })
  expect(findConfig(join(folder.path, 'a/b/c/d'))).toBe(inner)
  expect(findConfig(join(folder.path, 'a/b'))).toBe(inner)
  expect(findConfig(join(folder.path, 'a'))).toBe(outer)
})

test('takes the names in their order when one folder holds several', () => {
  const folder = temporaryFolder()
  const files = configFileNames.map((name) => folder.write(name, ''))
  for (const file of files) {
    expect(findConfig(folder.path)).toBe(file)
    rmSync(file)
  }
})

test('a folder of that name is no config, and a folder that does not exist is searched from above', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder.path, 'x/toolcrib.yaml'), { recursive: true })
  const file = folder.write('toolcrib.config.mjs', '')
  expect(findConfig(join(folder.path, 'x'))).toBe(file)
  expect(findConfig(join(folder.path, 'gone/deeper'))).toBe(file)
})

test('finds nothing up to the root', () => {
  const folder = temporaryFolder()
  expect(findConfig(folder.path)).toBeUndefined()
})
