import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { distrustFolder, isFolderTrusted, trustFolder } from '../../src/platform/trust/folder-trust.js'
import { trustConfig } from '../trust-config.js'
import { temporaryFolder } from '../temporary-folder.js'

const place = temporaryFolder()
afterAll(() => rmSync(place, { recursive: true, force: true }))

const folder = (...names: string[]): string => {
  const path = join(place, ...names)
  mkdirSync(path, { recursive: true })
  return path
}

describe('a folder', () => {
  it('is trusted after a person trusts it, with its subfolders, until the trust is revoked', () => {
    const own = folder('own', 'src', 'deep')
    expect(isFolderTrusted(own)).toBe(false)
    trustFolder(join(place, 'own'))
    expect(isFolderTrusted(own)).toBe(true)
    expect(isFolderTrusted(folder('owner'))).toBe(false)
    expect(distrustFolder(join(place, 'own'))).toBe(true)
    expect(distrustFolder(join(place, 'own'))).toBe(false)
    expect(isFolderTrusted(own)).toBe(false)
  })

  it('is trusted as far as the nearest config file is', () => {
    const inner = folder('project', 'inner')
    const path = join(place, 'project', 'toolcrib.yaml')
    writeFileSync(path, 'tools: []\n')
    expect(isFolderTrusted(inner)).toBe(false)
    trustConfig(path)
    expect(isFolderTrusted(inner)).toBe(true)
    writeFileSync(join(inner, 'toolcrib.yaml'), 'tools: [x]\n')
    expect(isFolderTrusted(inner)).toBe(false)
    rmSync(join(inner, 'toolcrib.yaml'))
    writeFileSync(path, 'tools: [x]\n')
    expect(isFolderTrusted(inner)).toBe(false)
  })

  it('does not extend its trust to a repository or a package inside it', () => {
    folder('holds', 'clone', '.git')
    trustFolder(join(place, 'holds'))
    expect(isFolderTrusted(join(place, 'holds'))).toBe(true)
    expect(isFolderTrusted(folder('holds', 'clone', 'src'))).toBe(false)
    expect(isFolderTrusted(folder('holds', 'node_modules', 'package'))).toBe(false)
    trustFolder(join(place, 'holds', 'clone'))
    expect(isFolderTrusted(join(place, 'holds', 'clone', 'src'))).toBe(true)
  })

  it('is identified by the target of a link', () => {
    trustFolder(folder('target'))
    symlinkSync(join(place, 'target'), join(place, 'link'))
    symlinkSync(folder('elsewhere'), join(place, 'target', 'out'))
    expect(isFolderTrusted(join(place, 'link'))).toBe(true)
    expect(isFolderTrusted(join(place, 'target', 'out'))).toBe(false)
  })

  it('is never the home folder or the root, nor a missing folder', () => {
    for (const wide of [homedir(), '/']) {
      trustFolder(wide)
      expect(isFolderTrusted(folder('below'))).toBe(false)
      distrustFolder(wide)
    }
    expect(isFolderTrusted(join(place, 'missing'))).toBe(false)
  })
})
