import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { installCommand } from '../../../src/platform/files/install-command.js'
import { temporaryFolder } from '../../temporary-folder.js'

it('packages are installed where the program finds them', () => {
  const folder = temporaryFolder()
  const own = join(folder, 'node_modules', 'toolcrib')
  mkdirSync(own, { recursive: true })
  expect(installCommand(['pg', 'kysely'], own)).toBe('npm install -g pg kysely')
  writeFileSync(join(folder, 'package.json'), '{}')
  expect(installCommand(['pg'], own)).toBe('npm install pg')
  expect(installCommand(['pg'])).toBe('npm install pg')
})
