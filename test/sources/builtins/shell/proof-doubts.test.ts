import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import '../../../own-process.js'
import { openTemporaryFolder } from '../../../temporary-folder.js'
import { trustConfig } from '../../../trust-config.js'
import { whyNoSandbox } from './open-shell.js'

const why = whyNoSandbox()
if (why) console.log(`skipped: ${why}`)

const MAIN = new URL('../../../../bin/toolcrib.js', import.meta.url).pathname

describe.skipIf(why !== undefined)('a program that does more than it was proven to do', () => {
  it('is prevented, shown, and not proven again until a person has looked', () => {
    const folder = openTemporaryFolder()
    // A program that PATH leads to instead of the one that the proof is about.
    chmodSync(folder.write('bin/basename', '#!/bin/sh\necho x >made\n'), 0o755)
    const path = `${folder.file('bin')}:${process.env['PATH']}`
    trustConfig(folder.write('toolcrib.yaml', `builtins:\n  shell:\n    env:\n      PATH: ${path}\n`))
    const cli = (...args: string[]) => {
      const { status, stdout } = spawnSync(process.execPath, [MAIN, ...args, '--json'], {
        cwd: folder.path,
        encoding: 'utf8',
      })
      return { status, value: JSON.parse(stdout) as Record<string, unknown> }
    }
    const exec = () => cli('call', 'shell.exec', 'command=basename a/b')

    const first = exec()
    expect(existsSync(folder.file('made'))).toBe(false)
    expect(first.value['structured_content']).toMatchObject({ violations: [{ kind: 'write' }] })
    expect(JSON.stringify(first.value['model_facing_content'])).toContain('The sandbox prevented something')
    expect(exec().value).toMatchObject({ is_error: true, error: { error_code: 'toolcrib.nobody_to_ask' } })
    expect(cli('shell', 'doubts').value).toMatchObject([{ program: 'basename' }])
    expect(cli('shell', 'doubts', 'basename', '--clear').status).toBe(0)
    expect(cli('shell', 'doubts').value).toEqual([])
    expect(exec().value['structured_content']).toMatchObject({ violations: [{ kind: 'write' }] })
  })
})
