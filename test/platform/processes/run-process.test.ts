import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runProcess, type ProcessOptions } from 'toolcrib'
import { isRunning } from '../../is-running.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { until } from '../../until.js'

const never = (): AbortSignal => new AbortController().signal
const sh = (script: string, options: Partial<ProcessOptions> = {}) =>
  runProcess('sh', ['-c', script], { signal: never(), ...options })

describe('runProcess', () => {
  it('returns the output and any exit code', async () => {
    expect(await sh('cat; echo said >&2; exit 3', { stdin: 'given' })).toEqual({
      exit_code: 3,
      stdout: 'given',
      stderr: 'said\n',
    })
  })

  it('runs in the given folder, with the few inherited variables and those that are given', async () => {
    const folder = temporaryFolder()
    process.env['TOOLCRIB_TEST_SECRET'] = 'secret'
    try {
      const { stdout } = await sh('pwd; echo "$A"; env', { cwd: folder, env: { A: 'b' } })
      expect(stdout.split('\n').slice(0, 2)).toEqual([folder, 'b'])
      expect(stdout).toMatch(/^PATH=/m)
      expect(stdout).not.toContain('secret')
    } finally {
      delete process.env['TOOLCRIB_TEST_SECRET']
    }
  })

  it('ends processes that the program left running', async () => {
    const { stdout } = await sh('sleep 1000 > /dev/null 2>&1 & echo $!')
    await until(() => !isRunning(Number(stdout)))
  })

  it('rejects with the reason of its signal, and does not start where the signal was aborted before', async () => {
    const folder = temporaryFolder()
    const reason = new Error('enough')
    const options = { cwd: folder, signal: AbortSignal.abort(reason) }
    await expect(sh('echo > made', options)).rejects.toBe(reason)
    expect(existsSync(join(folder, 'made'))).toBe(false)

    const controller = new AbortController()
    const running = sh('echo > made; sleep 1000', { cwd: folder, signal: controller.signal })
    await until(() => existsSync(join(folder, 'made')))
    controller.abort(reason)
    await expect(running).rejects.toBe(reason)
  })

  it.each<[string, () => Promise<unknown>, string]>([
    ['was killed', () => sh('kill -KILL $$'), 'sh was ended by SIGKILL.'],
    [
      'writes too much',
      () => sh('while :; do echo too much; done', { maxOutputBytes: 1000 }),
      'sh wrote more than 1000 bytes and was ended.',
    ],
    [
      'does not exist',
      () => runProcess('no-such-program', [], { signal: never() }),
      'no-such-program cannot be started: there is no such program, or no folder',
    ],
    ['has no folder', () => sh('true', { cwd: '/no/such/folder' }), 'or no folder /no/such/folder.'],
  ])('rejects with a sentence where the program %s', async (_what, run, sentence) => {
    await expect(run()).rejects.toThrow(sentence)
  })

  it('refuses unknown options, and to run without a signal', async () => {
    await expect(runProcess('true', [], {} as never)).rejects.toThrow(
      'runProcess needs a "signal"; pass the one of the execute context.',
    )
    await expect(runProcess('true', [], { signal: never(), timeout: 1 } as never)).rejects.toThrow(
      'runProcess has no option "timeout"',
    )
  })
})
