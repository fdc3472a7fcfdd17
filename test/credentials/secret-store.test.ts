import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { secretsFilePath, secretStore } from '../../src/credentials/secrets/secret-store.js'
import { storedSecret } from '../../src/credentials/secrets/stored-secret.js'
import { systemKeyring } from '../../src/credentials/secrets/system-keyring.js'
import { ownPaths } from '../../src/crib/policy/own-paths.js'
import { findSecretBytes } from '../redaction/find-bytes.js'
import { openTemporaryFolder, temporaryFolder } from '../temporary-folder.js'

const VALUE = 'plum tree by the lake'
const seal = { TOOLCRIB_SEAL_KEY: process.env['TOOLCRIB_SEAL_KEY'] }
const home = (): NodeJS.ProcessEnv => ({ ...seal, TOOLCRIB_HOME: join(temporaryFolder(), 'home') })

describe('the sealed file', () => {
  it('holds names that are listed and values that are not readable', async () => {
    const env = home()
    await secretStore(env).set('petstore/ApiKeyAuth', VALUE)
    await secretStore(env).set('alpha', 'two\nlines')
    expect(secretStore(env).list()).toMatchObject([
      { name: 'alpha', keptIn: 'file' },
      { name: 'petstore/ApiKeyAuth', keptIn: 'file' },
    ])
    expect(await secretStore(env).load('petstore/ApiKeyAuth')).toBe(VALUE)
    expect(await secretStore(env).load('alpha')).toBe('two\nlines')
    expect(await secretStore(env).load('toString')).toBeUndefined()
    const path = secretsFilePath(env)
    expect(findSecretBytes(readFileSync(path), [VALUE], 'file')).toEqual([])
    expect(statSync(path).mode & 0o777).toBe(0o600)
    chmodSync(path, 0o644)
    expect(await secretStore(env).remove('alpha')).toBe(true)
    expect(await secretStore(env).remove('alpha')).toBe(false)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(secretStore(env).find('alpha')).toBeUndefined()
  })

  it('is protected from tools', () => {
    expect(ownPaths({}).secret).toContain(secretsFilePath())
  })

  it('loses nothing where several set secrets at the same time', async () => {
    const env = home()
    const names = Array.from({ length: 10 }, (_, at) => `name-${at}`)
    await Promise.all(names.map((name) => secretStore(env).set(name, `value of ${name}`)))
    for (const name of names) expect(await secretStore(env).load(name)).toBe(`value of ${name}`)
  })

  it('opens a value only under its own name and with its own key', async () => {
    const env = home()
    await secretStore(env).set('a', VALUE)
    const path = secretsFilePath(env)
    const file = JSON.parse(readFileSync(path, 'utf8')) as { secrets: Record<string, unknown> }
    file.secrets['b'] = file.secrets['a']
    writeFileSync(path, JSON.stringify(file))
    await expect(secretStore(env).load('b')).rejects.toThrow('toolcrib secrets set b')
    const other = { ...env, TOOLCRIB_SEAL_KEY: Buffer.alloc(32, 7).toString('base64') }
    await expect(secretStore(other).load('a')).rejects.toThrow('toolcrib secrets set a')
  })

  it('that is no such file is not overwritten', async () => {
    const env = home()
    const path = secretsFilePath(env)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '{"mine": 1}')
    expect(secretStore(env).find('a')).toBeUndefined()
    expect(() => secretStore(env).list()).toThrow('move it away')
    await expect(secretStore(env).set('a', VALUE)).rejects.toThrow('move it away')
    expect(readFileSync(path, 'utf8')).toBe('{"mine": 1}')
  })

  it.each(['', '-x', 'a"b', 'a\\b', 'a\nb', 'x'.repeat(201)])('takes no name such as %j', (name) => {
    expect(() => secretStore(home()).set(name, VALUE)).toThrow('such as petstore/ApiKeyAuth')
  })
})

/** A keyring that keeps what it is given in a folder, and records its arguments and environment. */
function fakeKeyring(script: string, name: string) {
  const place = openTemporaryFolder()
  const program = place.write(
    `bin/${name}`,
    `#!/bin/sh\nfolder='${place.path}'\nprintf '%s\\n' "$*" >> "$folder/calls"\nenv >> "$folder/env"\n${script}`,
  )
  chmodSync(program, 0o755)
  const env: NodeJS.ProcessEnv = {
    ...seal,
    PATH: `${place.file('bin')}:${process.env['PATH']}`,
    TOOLCRIB_HOME: place.file('home'),
    TOOLCRIB_SECRETS: 'keyring',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus',
    OTHER_SECRET: 'must not be inherited',
  }
  const calls = (): string[] => readFileSync(place.file('calls'), 'utf8').trim().split('\n')
  return { place, env, calls }
}

const SECRET_TOOL = `
case "$1" in
  store) cat > "$folder/value" ;;
  lookup) cat "$folder/value" 2>/dev/null ;;
  clear) rm -f "$folder/value" ;;
esac`

const SECURITY = `
case "$1" in
  -i) read -r line; printf '%s' "$line" | sed 's/.*-w "\\(.*\\)"$/\\1/' > "$folder/value" ;;
  find-generic-password) cat "$folder/value" 2>/dev/null || exit 44 ;;
  delete-generic-password) rm -f "$folder/value" ;;
esac`

describe('the keyring of the system', () => {
  it('keeps values that no argument and no file of ours shows', async () => {
    const { place, env, calls } = fakeKeyring(SECRET_TOOL, 'secret-tool')
    const store = secretStore(env)
    expect(await store.set('petstore/Key', `${VALUE}\n `)).toMatchObject({ keptIn: 'keyring' })
    expect(await store.load('petstore/Key')).toBe(`${VALUE}\n `)
    expect(calls()[0]).toBe('store --label=Toolcrib: petstore/Key service toolcrib name petstore/Key')
    for (const file of ['calls', 'env', 'home/secrets.json'])
      expect(findSecretBytes(readFileSync(place.file(file)), [VALUE, env['OTHER_SECRET']!], file)).toEqual([])
    expect(readFileSync(place.file('env'), 'utf8')).toContain('DBUS_SESSION_BUS_ADDRESS=unix:path=/run/bus')
    expect(await secretStore({ ...env, TOOLCRIB_SECRETS: undefined }).load('petstore/Key')).toBe(
      `${VALUE}\n `,
    )
    // A secret that moves into the file leaves the keyring.
    await secretStore({ ...env, TOOLCRIB_SECRETS: 'file' }).set('petstore/Key', VALUE)
    expect(calls().at(-1)).toBe('clear service toolcrib name petstore/Key')
    expect(store.find('petstore/Key')).toMatchObject({ keptIn: 'file' })
  })

  it('of macOS gets a value through its standard input', async () => {
    const { env, calls } = fakeKeyring(SECURITY, 'security')
    const keyring = systemKeyring(env, 'darwin')
    await keyring.set('petstore/Key', VALUE)
    expect(await keyring.load('petstore/Key')).toBe(VALUE)
    await keyring.remove('petstore/Key')
    expect(await keyring.load('petstore/Key')).toBeUndefined()
    expect(calls()).toEqual([
      '-i',
      'find-generic-password -s toolcrib -a petstore/Key -w',
      'find-generic-password -s toolcrib -a petstore/Key -w',
      'delete-generic-password -s toolcrib -a petstore/Key',
      'find-generic-password -s toolcrib -a petstore/Key -w',
    ])
  })

  it('is asked again when the secret was set again, was refused, or after five minutes', async () => {
    const { env, calls } = fakeKeyring(SECRET_TOOL, 'secret-tool')
    const clock = { nowMs: 0 }
    const owner = { entry: 'petstore', name: 'Key' }
    const source = storedSecret({ name: 'a' }, { env, owner, now: () => clock.nowMs })
    await secretStore(env).set('a', 'first')
    const before = calls().length
    const load = (isRefused = false): Promise<string> => source.load({ isRefused })
    expect([await load(), await load()]).toEqual(['first', 'first'])
    expect(calls()).toHaveLength(before + 1)
    await secretStore(env).set('a', 'second')
    expect(await load()).toBe('second')
    const later = calls().length
    await load(true)
    clock.nowMs += 5 * 60_000
    await load()
    await load()
    expect(calls()).toHaveLength(later + 2)
  })

  it('that is not there, or does not store, is named in one sentence', async () => {
    const none = { ...home(), TOOLCRIB_SECRETS: 'keyring', PATH: temporaryFolder() }
    await expect(secretStore(none).set('a', VALUE)).rejects.toThrow(
      'The keyring of the system cannot be used: secret-tool is not installed; without TOOLCRIB_SECRETS=keyring, secrets are sealed in a file.',
    )
    const { env } = fakeKeyring('exit 1', 'secret-tool')
    await expect(secretStore(env).set('a', VALUE)).rejects.toThrow('it did not store the secret')
    expect(secretStore(env).list()).toEqual([])
    await expect(systemKeyring(env, 'win32').load('a')).rejects.toThrow('no command for it')
    const wrong = { ...home(), TOOLCRIB_SECRETS: 'vault' }
    await expect(secretStore(wrong).set('a', VALUE)).rejects.toThrow(
      'TOOLCRIB_SECRETS must be "file" or "keyring", not "vault".',
    )
  })
})
