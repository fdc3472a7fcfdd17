import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { hasScript, onTerminal } from './on-terminal.js'
import { createPlace, type Place } from './run-cli.js'

const hook = (command: string, matcher = 'Bash') => ({ matcher, hooks: [{ type: 'command', command }] })

function placeWith(settings: object | string, config = 'timeoutMs: 5000 # kept\n'): Place {
  const place = createPlace(config)
  place.write('settings.json', typeof settings === 'string' ? settings : JSON.stringify(settings, null, 1))
  return place
}

const hooksIn = (place: Place): { id: string; command: string }[] =>
  (parse(readFileSync(join(place.folder, 'toolcrib.yaml'), 'utf8')) as { hooks?: [] }).hooks ?? []

const IMPORT = ['import', 'settings.json']

describe('toolcrib import', () => {
  it('imports every hook, once, and gives each a unique id', async () => {
    const place = placeWith({ hooks: { PreToolUse: [hook('./a.sh'), hook('./b.sh')] } })
    expect(await place.run(IMPORT)).toMatchObject({ code: 0 })
    expect(hooksIn(place).map(({ id, command }) => [id, command])).toEqual([
      ['imported-1', './a.sh'],
      ['imported-2', './b.sh'],
    ])
    place.write('settings.json', JSON.stringify({ hooks: { PreToolUse: [hook('./b.sh'), hook('./c.sh')] } }))
    expect(await place.run(IMPORT)).toMatchObject({ code: 0 })
    expect(hooksIn(place).map(({ id, command }) => [id, command])).toEqual([
      ['imported-1', './a.sh'],
      ['imported-2', './b.sh'],
      ['imported-3', './c.sh'],
    ])
    expect(await place.run(['hooks'])).toMatchObject({ code: 0 })
    const again = await place.run(IMPORT)
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing new to take over') })
  })

  it('names what cannot be imported, and has the same exit code with and without --dry-run', async () => {
    const place = placeWith({
      permissions: {
        allow: ['bad((', 'Read'],
        defaultMode: 'reckless',
        disableBypassPermissionsMode: 'disable',
      },
      hooks: { PreToolUse: [hook('./a.sh', '[unclosed'), hook('./b.sh')] },
    })
    const dry = await place.run([...IMPORT, '--dry-run'])
    expect(hooksIn(place)).toEqual([])
    const real = await place.run(IMPORT)
    for (const { code, stderr } of [dry, real]) {
      expect(code).toBe(1)
      expect(stderr).toMatch(/settings\.json:\d+: the allow rule "bad\(\(" .* left out/)
      expect(stderr).toMatch(/settings\.json:\d+: there is no mode "reckless" .* left out/)
      expect(stderr).toMatch(/settings\.json:\d+: "disableBypassPermissionsMode" .* left out/)
      expect(stderr).toMatch(/settings\.json:\d+: .*\[unclosed.* left out/)
    }
    expect(hooksIn(place).map(({ command }) => command)).toEqual(['./b.sh'])
    expect(readFileSync(join(place.folder, 'toolcrib.local.yaml'), 'utf8')).not.toContain('bad')
    expect(real.stderr).toContain('waits for your trust')
    expect((await place.run(['rules'])).code).toBe(0)
  })

  it('a file that is not JSON prints one sentence', async () => {
    const place = placeWith('{ "permissions": ')
    for (const args of [IMPORT, [...IMPORT, '--dry-run']]) {
      const { code, stderr } = await place.run(args)
      expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 2, lines: 1 })
      expect(stderr).toMatch(/^settings\.json:1 cannot be read, so nothing was taken over: /)
    }
  })
})

describe.skipIf(!hasScript)('at a terminal', () => {
  it('rules that loosen are listed, and count at once only after a yes', async () => {
    const settings = {
      permissions: { allow: ['Read'], deny: ['WebFetch'] },
      hooks: { PreToolUse: [hook('true')] },
    }
    for (const [typed, waits] of [
      ['n\r', true],
      ['y\r', false],
    ] as const) {
      const place = placeWith(settings)
      const { code, text } = await onTerminal(place, IMPORT.join(' '), { typed: [[/\[y\/N\]/, typed]] })
      expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('This would loosen:') })
      expect(text).toContain('allow Read')
      expect(text).toContain('what the hook "imported-1" allows')
      const { stderr } = await place.run(['rules'])
      if (waits) expect(stderr).toContain('for your trust')
      else expect(stderr).not.toContain('trust')
    }
  })

  it('a no leaves the user’s own rules unchanged', async () => {
    const place = placeWith({ permissions: { allow: ['Read'] } })
    const { code, text } = await onTerminal(place, `${IMPORT.join(' ')} --to user`, {
      typed: [[/\[y\/N\]/, 'n\r']],
    })
    expect({ code, text }).toMatchObject({ code: 1, text: expect.stringContaining('Nothing was changed.') })
  })
})
