import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { distrustFolder, isFolderTrusted, trustFolder } from '../../src/platform/trust/folder-trust.js'
import { trustConfig } from '../trust-config.js'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'toolcrib-folder-trust-')))
afterAll(() => rmSync(place, { recursive: true, force: true }))

const folder = (...names: string[]): string => {
  const path = join(place, ...names)
  mkdirSync(path, { recursive: true })
  return path
}

describe('a folder', () => {
  it('is trusted once a person has said so, with what is below it, until that is taken back', () => {
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

  it('is not trusted for the folder that something was put into', () => {
    folder('holds', 'clone', '.git')
    trustFolder(join(place, 'holds'))
    expect(isFolderTrusted(join(place, 'holds'))).toBe(true)
    expect(isFolderTrusted(folder('holds', 'clone', 'src'))).toBe(false)
    expect(isFolderTrusted(folder('holds', 'node_modules', 'package'))).toBe(false)
    trustFolder(join(place, 'holds', 'clone'))
    expect(isFolderTrusted(join(place, 'holds', 'clone', 'src'))).toBe(true)
  })

  it('is what a link leads to', () => {
    trustFolder(folder('target'))
    symlinkSync(join(place, 'target'), join(place, 'link'))
    symlinkSync(folder('elsewhere'), join(place, 'target', 'out'))
    expect(isFolderTrusted(join(place, 'link'))).toBe(true)
    expect(isFolderTrusted(join(place, 'target', 'out'))).toBe(false)
  })

  it('is not trusted for the home folder or the root, nor where there is none', () => {
    for (const wide of [homedir(), '/']) {
      trustFolder(wide)
      expect(isFolderTrusted(folder('below'))).toBe(false)
      distrustFolder(wide)
    }
    expect(isFolderTrusted(join(place, 'missing'))).toBe(false)
  })
})
