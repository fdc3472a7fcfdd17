import { chmodSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileTokenStorage } from '../../../src/credentials/oauth/file-token-storage.js'
import type { Grant } from '../../../src/credentials/oauth/token-storage.js'
import { temporaryFolder } from '../../temporary-folder.js'

let folder = ''

beforeEach(() => {
  folder = temporaryFolder()
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const grant: Grant = {
  user: 'ada',
  url: 'https://files.example/mcp',
  issuer: 'https://login.example',
  client: { id: 'toolcrib', from: 'settings' },
  accessToken: 'access-words',
  refreshToken: 'refresh-words',
  issuedAtMs: 1,
}

const files = (): string[] => readdirSync(folder).map((name) => join(folder, name))

describe('tokens in files', () => {
  it('are encrypted, and only the user may read the file', async () => {
    const storage = fileTokenStorage({ folder })
    await storage.exclusively(grant, () => storage.save(grant))
    expect(files()).toHaveLength(1)
    const [path] = files()
    expect(statSync(path!).mode & 0o777).toBe(0o600)
    expect(readFileSync(path!, 'utf8')).not.toMatch(/words|ada|example/)
    chmodSync(path!, 0o644)
    await storage.save(grant)
    expect(statSync(path!).mode & 0o777).toBe(0o600)
    expect(await fileTokenStorage({ folder }).load(grant)).toEqual(grant)
  })

  it('have one file for each user and address', async () => {
    const storage = fileTokenStorage({ folder })
    await storage.save(grant)
    await storage.save({ ...grant, user: 'bob', accessToken: 'of bob' })
    await storage.save({ ...grant, url: 'https://other.example/mcp' })
    expect(files()).toHaveLength(3)
    expect((await storage.load({ ...grant, user: 'bob' }))?.accessToken).toBe('of bob')
    expect((await storage.load(grant))?.accessToken).toBe('access-words')
    expect(await storage.remove(grant)).toBe(true)
    expect(await storage.remove(grant)).toBe(false)
    expect(await storage.load(grant)).toBeUndefined()
    expect(files()).toHaveLength(2)
  })

  it('written by another process are visible at once', async () => {
    const [one, other] = [fileTokenStorage({ folder }), fileTokenStorage({ folder })]
    expect(await one.load(grant)).toBeUndefined()
    for (const accessToken of ['first', 'other', 'third']) {
      await other.save({ ...grant, accessToken })
      expect((await one.load(grant))?.accessToken).toBe(accessToken)
    }
    await other.remove(grant)
    expect(await one.load(grant)).toBeUndefined()
  })

  it('encrypted with another key, for another place or with a changed text count as none', async () => {
    const storage = fileTokenStorage({ folder })
    await storage.save(grant)
    const [path] = files()
    const env = { TOOLCRIB_SEAL_KEY: Buffer.alloc(32, 7).toString('base64') }
    expect(await fileTokenStorage({ folder, env }).load(grant)).toBeUndefined()
    await storage.save({ ...grant, user: 'bob' })
    const bobs = files().find((name) => name !== path)!
    writeFileSync(bobs, readFileSync(path!))
    expect(await fileTokenStorage({ folder }).load({ ...grant, user: 'bob' })).toBeUndefined()
    writeFileSync(path!, 'not even JSON')
    expect(await fileTokenStorage({ folder }).load(grant)).toBeUndefined()
  })

  it('are changed by one process at a time', async () => {
    const storages = [fileTokenStorage({ folder }), fileTokenStorage({ folder })]
    let inside = 0
    let most = 0
    const task = async (): Promise<void> => {
      most = Math.max(most, ++inside)
      await new Promise((resolve) => setTimeout(resolve, 5))
      inside -= 1
    }
    await Promise.all([0, 1, 0, 1].map((index) => storages[index]!.exclusively(grant, task)))
    expect(most).toBe(1)
    expect(files()).toHaveLength(0)
  })

  it('can be changed after a process died while it changed them', async () => {
    const storage = fileTokenStorage({ folder })
    await storage.save(grant)
    const lock = `${files()[0]}.lock`
    writeFileSync(lock, 'somebody')
    const longAgo = new Date(Date.now() - 10 * 60_000)
    utimesSync(lock, longAgo, longAgo)
    expect(await storage.exclusively(grant, async () => 'in')).toBe('in')
    expect(files()).toHaveLength(1)
  })
})
