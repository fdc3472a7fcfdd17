import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { builtinSource } from '../../../../src/builtins.js'
import { findProgram } from '../../../../src/platform/files/find-program.js'
import { desktopCommand } from '../../../../src/sources/builtins/native/desktop-command.js'
import { temporaryFolder } from '../../../temporary-folder.js'
import { eventually } from '../../../until.js'
import { openSet } from '../open-set.js'

const missing = ['Xvfb', 'xclip'].filter((name) => findProgram([name], process.env) === undefined)
if (missing.length > 0)
  process.stderr.write(`clipboard on a real display: skipped, without ${missing.join(' and ')}\n`)

/** A display without a screen, which ends with the test. */
async function startDisplay(): Promise<string> {
  const server = spawn('Xvfb', ['-displayfd', '1', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [number] = (await once(server.stdout, 'data')) as [Buffer]
  onTestFinished(async () => {
    const ended = once(server, 'exit')
    server.kill()
    await ended
  })
  return `:${number.toString().trim()}`
}

const namesOf = (tools: readonly { name?: unknown }[] | undefined): unknown[] =>
  (tools ?? []).map(({ name }) => name)

describe('desktop tools', () => {
  it('are blocked on the surface without a desktop, with the reason', async () => {
    const { surface } = await openSet(builtinSource('native', {}, { env: { PATH: process.env['PATH'] } }))
    const { blocked_tools: blocked } = surface.record
    expect(namesOf(blocked)).toEqual([
      'native.clipboard.read',
      'native.clipboard.write',
      'native.notify',
      'native.open',
    ])
    expect(JSON.stringify(blocked)).toContain('this session has none (neither DISPLAY nor WAYLAND_DISPLAY)')
  })

  it('are blocked where their program is missing, with what to install', async () => {
    const env = { PATH: '/nowhere', WAYLAND_DISPLAY: 'wayland-0' }
    const { surface } = await openSet(builtinSource('native', {}, { env }))
    expect(JSON.stringify(surface.record.blocked_tools)).toContain(
      'native.clipboard.read needs wl-paste; install it.',
    )
  })

  it('give texts as arguments or as input, and never as parts of a script', () => {
    const folder = temporaryFolder()
    for (const name of ['notify-send', 'xdg-open', 'osascript', 'wl-copy'])
      writeFileSync(join(folder, name), '#!/bin/sh\n', { mode: 0o755 })
    const env = { PATH: folder, DISPLAY: ':0', WAYLAND_DISPLAY: 'w' }
    const argsOf = (action: 'notify' | 'open', platform: NodeJS.Platform): readonly string[] => {
      const found = desktopCommand(action, { platform, env })
      return 'missing' in found ? [found.missing] : found.args(['--title', '"; do shell script "x'])
    }
    expect(argsOf('notify', 'linux')).toEqual([
      '--app-name=Toolcrib',
      '--',
      '--title',
      '"; do shell script "x',
    ])
    expect(argsOf('notify', 'darwin').slice(-2)).toEqual(['--title', '"; do shell script "x'])
    expect(desktopCommand('clipboard.write', { platform: 'linux', env })).toMatchObject({ takesStdin: true })
  })

  it('open a page with the program of the desktop', async () => {
    const folder = temporaryFolder()
    const program = join(folder, 'xdg-open')
    writeFileSync(program, `#!/bin/sh\nprintf '%s' "$1" > "${folder}/opened"\n`)
    chmodSync(program, 0o755)
    const env = { PATH: `${folder}:${process.env['PATH']}`, DISPLAY: ':0' }
    const { call } = await openSet(builtinSource('native', {}, { env }))
    expect((await call('native.open', { url: 'https://site.example/a b' })).status).toBe('succeeded')
    expect(readFileSync(join(folder, 'opened'), 'utf8')).toBe('https://site.example/a%20b')
    for (const input of [{}, { url: 'javascript:alert(1)' }, { url: 'https://a.example', path: '/x' }])
      expect((await call('native.open', input)).error?.error_class).toBe('invalid_arguments')
  })

  it.skipIf(missing.length > 0)('write and read the clipboard of a real display', async () => {
    const env = { ...process.env, WAYLAND_DISPLAY: '', DISPLAY: await startDisplay() }
    const { call } = await openSet(builtinSource('native', {}, { env }))
    expect((await call('native.clipboard.write', { text: 'tea & $(milk)\n“two”' })).status).toBe('succeeded')
    const holds = async (): Promise<boolean> =>
      (await call('native.clipboard.read')).content?.[0]?.text === 'tea & $(milk)\n“two”'
    expect(await eventually(holds)).toBe(true)
  })

  it('ask before they read the clipboard', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'xclip'), '#!/bin/sh\nprintf secret\n', { mode: 0o755 })
    const { call } = await openSet(builtinSource('native', {}, { env: { PATH: folder, DISPLAY: ':0' } }), {
      permission: {},
    })
    expect((await call('native.clipboard.read')).error?.error_class).toBe('approval_rejected')
  })
})
