import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findInFolder } from '../../redaction/find-bytes.js'
import { hasScript, onTerminal } from './on-terminal.js'
import { createPlace } from './run-cli.js'

const VALUE = 'plum tree by the lake'
const NAME = 'petstore/ApiKeyAuth'

describe('toolcrib secrets', () => {
  it('stores what comes on standard input, lists names only, and removes', async () => {
    const { run, folder } = createPlace()
    expect(await run(['secrets'])).toMatchObject({
      code: 0,
      stderr: 'There are no secrets; to set one: toolcrib secrets set <name>\n',
    })
    expect(await run(['secrets', 'set', NAME], { input: `${VALUE}\n` })).toMatchObject({
      code: 0,
      stdout: `Stored the secret "${NAME}" in a sealed file.\n`,
      stderr: '',
    })
    const set = await run(['secrets', 'set', 'other', '--json'], { input: VALUE })
    expect(JSON.parse(set.stdout)).toMatchObject({ name: 'other', kept_in: 'file' })
    const listed = await run(['secrets', '--json'])
    expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'other' }, { name: NAME, kept_in: 'file' }])
    expect((await run(['secrets'])).stdout).toMatch(/^other {16}set \d{4}-.*, in a sealed file\npetstore\//)
    expect((await run(['completion', '--names', 'secrets'])).stdout).toBe(`other\n${NAME}\n`)
    expect(statSync(join(folder, 'home/secrets.json')).mode & 0o777).toBe(0o600)
    expect(findInFolder(folder, [VALUE])).toEqual([])
    expect(await run(['secrets', 'remove', 'other'])).toMatchObject({
      code: 0,
      stdout: 'Removed the secret "other".\n',
    })
    const removed = await run(['secrets', 'remove', NAME, '--json'])
    expect(JSON.parse(removed.stdout)).toEqual({ name: NAME, was_there: true })
    expect((await run(['secrets', 'list', '--json'])).stdout).toBe('[]\n')
  })

  it('says in one sentence what is wrong', async () => {
    const { run, folder } = createPlace()
    const told = async (args: string[], more = {}): Promise<string> => {
      const { code, stdout, stderr } = await run(['secrets', ...args], more)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      return stderr
    }
    expect(await told(['set', NAME])).toBe(
      'There is no value on standard input; pipe one into this command, or run it at a terminal to type one.\n',
    )
    const asArgument = await told(['set', NAME, VALUE])
    expect(asArgument).toBe(
      'The value of a secret is no argument, since others can see arguments: leave it out and type it when asked, or pipe it into the command.\n',
    )
    expect(await told(['set', 'a"b'], { input: VALUE })).toMatch(/^The name of a secret has letters/)
    expect(await told(['set', NAME], { input: 'x'.repeat(70_000) })).toMatch(/longer than 65536 bytes/)
    expect(await told(['set', NAME], { input: VALUE, env: { TOOLCRIB_SECRETS: 'vault' } })).toBe(
      'TOOLCRIB_SECRETS must be "file" or "keyring", not "vault".\n',
    )
    expect(await told(['set', NAME], { input: VALUE, env: { TOOLCRIB_SEAL_KEY: 'short' } })).toMatch(
      /^TOOLCRIB_SEAL_KEY must be 32 bytes/,
    )
    expect(await told(['remove', NAME])).toBe(`There is no secret "${NAME}"; there are none yet.\n`)
    expect(existsSync(join(folder, 'home/secrets.json'))).toBe(false)
    await run(['secrets', 'set', NAME], { input: VALUE })
    expect(await told(['remove', 'petstore/ApiKey'])).toBe(
      `There is no secret "petstore/ApiKey"; did you mean "${NAME}"?\n`,
    )
    expect(await told(['remove', 'x'])).toBe(
      'There is no secret "x"; for those there are: toolcrib secrets.\n',
    )
    writeFileSync(join(folder, 'home/secrets.json'), '{')
    for (const args of [[], ['set', NAME], ['remove', NAME]])
      expect(await told(args, { input: VALUE })).toMatch(
        /secrets\.json cannot be read as a file of secrets; move it away\.\n$/,
      )
    expect(await told(['show'])).toMatch(/^Unknown command "show"; /)
  })

  it('are not set from inside a tool call', async () => {
    const { run } = createPlace()
    const inside = { TOOLCRIB_INVOCATION: 'inv_1' }
    const { code, stderr } = await run(['secrets', 'set', NAME], { input: VALUE, env: inside })
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('inside') as string })
  })
})

describe.skipIf(!hasScript)('at a terminal', () => {
  it('the value is typed without being shown', async () => {
    const place = createPlace()
    const { code, text } = await onTerminal(place, `secrets set ${NAME}`, {
      typed: [[/not shown while you type\):/, `${VALUE}x\x7f\r`]],
    })
    expect(code).toBe(0)
    expect(text).toContain('Stored the secret')
    expect(text).not.toContain('plum')
    const { stdout } = await place.run(['secrets', '--json'])
    expect(JSON.parse(stdout)).toMatchObject([{ name: NAME }])
    expect(readFileSync(join(place.folder, 'home/secrets.json'), 'utf8')).not.toContain('plum')
  })

  it.each([
    ['Ctrl-C', '\x03', 130],
    ['Ctrl-D', '\x04', 2],
    ['an empty line', '\r', 2],
  ])('%s stores nothing', async (_, keys, expected) => {
    const place = createPlace()
    const { code, text } = await onTerminal(place, `secrets set ${NAME}`, {
      typed: [[/not shown while you type\):/, keys]],
    })
    expect(text).toContain('nothing was stored')
    expect(code).toBe(expected)
    expect((await place.run(['secrets', '--json'])).stdout).toBe('[]\n')
  })
})
