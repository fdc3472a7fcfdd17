import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { describe, expect, it } from 'vitest'
import { openTemporaryFolder, type TemporaryFolder } from '../../../temporary-folder.js'
import { openShell, outputOf, whyNoSandbox, type OpenShell } from './open-shell.js'
import { COMMANDS } from './real-commands.js'

const why = whyNoSandbox()
if (why) console.log(`skipped: ${why}`)

function lay(folder: TemporaryFolder): void {
  folder.write('a.txt', 'alpha\nbeta\ngamma delta\n')
  folder.write('b.txt', 'beta\nalpha\n')
  folder.write('empty.txt', '')
  folder.write('numbers.txt', Array.from({ length: 50 }, (_, at) => `${(at * 37) % 50} ${at}`).join('\n'))
  folder.write('data.csv', 'name,age\nAda,36\nAlan,41\nGrace,85\n')
  folder.write('data.json', '{"a":[1,2,3],"b":{"c":"d"}}\n')
  folder.write('sub/c.txt', 'gamma\n')
  folder.write('sub/deep/d.md', '# Title\n\nText with *stars*.\n')
  folder.write('with space.txt', 'spaces\n')
  folder.write('script.sh', '#!/bin/sh\necho "args: $*"\nexit 4\n')
}

/** What `bash -c` does in a new folder with the same files, with the environment that the tool gives its commands. */
function byBash(command: string): { stdout: string; stderr: string; exit_code: number } {
  const folder = openTemporaryFolder()
  lay(folder)
  const env = Object.fromEntries(
    ['PATH', 'HOME', 'LANG', 'TERM', 'TMPDIR'].flatMap((name) =>
      process.env[name] === undefined ? [] : [[name, process.env[name]]],
    ),
  )
  const done = spawnSync('bash', ['--norc', '-c', command], {
    cwd: folder.path,
    env,
    encoding: 'utf8',
    input: '',
  })
  const clean = (text: string): string => text.replaceAll(folder.path, 'FOLDER')
  return {
    stdout: clean(done.stdout),
    stderr: clean(done.stderr),
    // As the shell of a person shows it.
    exit_code: done.status ?? 128 + constants.signals[done.signal!],
  }
}

async function byTool({ exec, folder }: OpenShell, command: string) {
  lay(folder)
  const { stdout, stderr, exit_code } = outputOf(await exec({ command }))
  const clean = (text: string): string => text.replaceAll(folder.path, 'FOLDER')
  return { stdout: clean(stdout), stderr: clean(stderr), exit_code }
}

function rowsOf(commands: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(commands.length / size) }, (_, row) =>
    commands.slice(row * size, (row + 1) * size),
  )
}

it('has 200 commands, each once', () => {
  expect(COMMANDS.length).toBeGreaterThanOrEqual(200)
  expect(new Set(COMMANDS).size).toBe(COMMANDS.length)
})

describe.skipIf(why !== undefined)('shell.exec does what bash does', () => {
  // A shell is opened for many commands: opening one takes longer than a command.
  it.each(rowsOf(COMMANDS, 25))(
    '%s, and the commands after it',
    async (...commands) => {
      const shell = await openShell()
      for (const command of commands) {
        expect(await byTool(shell, command), command).toEqual(byBash(command))
        for (const name of readdirSync(shell.folder.path))
          rmSync(shell.folder.file(name), { recursive: true, force: true })
      }
    },
    120_000,
  )
})
