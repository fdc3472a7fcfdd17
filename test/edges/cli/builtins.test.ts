import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { hasScript, onTerminal } from './on-terminal.js'
import { createPlace, type Place } from './run-cli.js'

const configOf = (place: Place) =>
  parse(readFileSync(join(place.folder, 'toolcrib.yaml'), 'utf8')) as {
    builtins: unknown
    permission?: { deny: string[]; ask: string[] }
  }

describe('toolcrib add builtins', () => {
  it('adds sets, and first rules to a config that has none', async () => {
    const place = createPlace('timeoutMs: 5000 # kept\n')
    const { code, stderr } = await place.run(['add', 'builtins', 'shell', 'files', '--yes'])
    expect(code).toBe(0)
    expect(stderr).toContain('files  Tools that read, search and change files.')
    expect(stderr).toContain('no tool reads .env files')
    const { builtins, permission } = configOf(place)
    expect(builtins).toEqual(['files', 'shell'])
    expect(permission!.deny).toContain('Read(**/.env)')
    const rules = await place.run(['rules'])
    expect(rules.code).toBe(0)
    expect(rules.stdout).toContain('shell.exec(git push:*)')
  })

  it('keeps the rules of a config, and does not add a set twice', async () => {
    const place = createPlace('permission:\n  deny: [Read(secret)]\nbuiltins: [files]\n')
    await place.run(['add', 'builtins', 'files,shell', '--yes'])
    expect(configOf(place)).toEqual({
      permission: { deny: ['Read(secret)'] },
      builtins: ['files', 'shell'],
    })
    const again = await place.run(['add', 'builtins', 'files', '--yes'])
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('has these sets already') })
    const { stdout } = await place.run(['servers', 'remove', 'files', '--yes', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'builtins', source: 'files' })
    expect(configOf(place).builtins).toEqual(['shell'])
  })

  it('names the nearest set for a misspelled one, and changes nothing without a person', async () => {
    const place = createPlace('timeoutMs: 5000\n')
    const misspelled = await place.run(['add', 'builtins', 'shel', '--yes'])
    expect(misspelled).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean "shell"?') })
    const alone = await place.run(['add', 'builtins', 'shell'])
    expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining('nothing was changed') })
    expect(configOf(place).builtins).toBeUndefined()
  })
})

it('trust says what the sets offer', async () => {
  const place = createPlace('builtins: [files]\n', { isTrusted: false })
  const { stderr } = await place.run(['trust', '--yes'])
  expect(stderr).toContain(
    'the set of built-in tools "files" offers: Tools that read, search and change files.',
  )
})

describe('toolcrib init', () => {
  it('adds the sets that are named', async () => {
    const place = createPlace('timeoutMs: 5000\n')
    const { code, stdout } = await place.run(['init', '--builtins', 'files,shell', '--json'], {
      env: { HOME: place.folder },
    })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ builtins: ['files', 'shell'] })
    expect(configOf(place).builtins).toEqual(['files', 'shell'])
  })

  it.skipIf(!hasScript)('offers the usual sets to a person', async () => {
    const place = createPlace('timeoutMs: 5000\n')
    const { code, text } = await onTerminal(place, 'init', {
      typed: [[/trust it\? \[y\/N\]/, 'y\r']],
      env: { HOME: place.folder },
    })
    expect(text).toContain('Built-in tools')
    expect(code).toBe(0)
    expect(configOf(place).builtins).toEqual(['files', 'shell', 'code', 'fetch'])
  })
})
