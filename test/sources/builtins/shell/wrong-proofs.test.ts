import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ToolDraft } from 'toolcrib'
import { describe, expect, it } from 'vitest'
import { builtinSource } from '../../../../src/builtins.js'
import type { Source } from '../../../../src/sources/source.js'
import { openTemporaryFolder, type TemporaryFolder } from '../../../temporary-folder.js'
import { openShell, whyNoSandbox } from './open-shell.js'

const why = whyNoSandbox()
if (why) console.log(`skipped: ${why}`)

interface Case {
  readonly command: string
  readonly programs: readonly string[]
  lay(folder: TemporaryFolder): void
}

const run = (folder: TemporaryFolder, program: string, ...args: string[]): void => {
  execFileSync(program, args, { cwd: folder.path, stdio: 'ignore' })
}

/** Commands that look as if they only read. Each writes, deletes or runs something. */
const CASES: readonly Case[] = [
  { command: 'tree -Po x F', programs: ['tree'], lay: (folder) => void folder.write('F', 'text') },
  {
    command: 'bzip2 -td F.bz2',
    programs: ['bzip2'],
    lay(folder) {
      folder.write('F', 'text')
      run(folder, 'bzip2', 'F')
    },
  },
  {
    command: 'xz -l -d F.xz',
    programs: ['xz'],
    lay(folder) {
      folder.write('F', 'text')
      run(folder, 'xz', 'F')
    },
  },
  {
    command: 'zstd -t -d F.zst',
    programs: ['zstd'],
    lay(folder) {
      folder.write('F', 'text')
      run(folder, 'zstd', '--rm', 'F')
    },
  },
  {
    command: 'nm -t @opts program.o',
    programs: ['nm', 'gcc'],
    lay(folder) {
      folder.write(
        'plugin.c',
        `#include <stdio.h>\nint onload(void *v) { FILE *f = fopen("made", "w"); if (f) fclose(f); return 0; }\n`,
      )
      folder.write('program.c', 'int main(void) { return 0; }\n')
      run(folder, 'gcc', '-shared', '-fPIC', '-o', 'plugin.so', 'plugin.c')
      run(folder, 'gcc', '-c', '-o', 'program.o', 'program.c')
      folder.write('opts', 'd --plugin ./plugin.so')
    },
  },
  {
    command: `sqlite3 -readonly data.db "select edit('x', 'touch made; true')"`,
    programs: ['sqlite3'],
    lay: (folder) => run(folder, 'sqlite3', 'data.db', 'create table t (a)'),
  },
  {
    command: 'find . -maxdepth 0 -execdir git status ;'.replace(';', String.raw`\;`),
    programs: ['find', 'git'],
    lay(folder) {
      run(folder, 'git', 'init', '--quiet')
      folder.write('hook.sh', '#!/bin/sh\ntouch "$PWD/made"\n')
      chmodSync(folder.file('hook.sh'), 0o755)
      run(folder, 'git', 'config', 'core.fsmonitor', folder.file('hook.sh'))
    },
  },
]

/** Everything in a folder: names, sizes, times and contents. */
function snapshot(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => {
      const path = join(folder, name)
      const { mtimeMs, size, mode } = statSync(path)
      return `${name} ${mode} ${size} ${mtimeMs} ${statSync(path).isFile() ? readFileSync(path, 'base64') : ''}`
    })
}

/** The shell tools, as if their reader called every command read-only. */
function credulous(source: Source): Source {
  return {
    ...source,
    async list(signal) {
      const drafts = await source.list(signal)
      return drafts.map((draft): ToolDraft => ({
        ...draft,
        facts: { is_read_only: true, is_open_world: false },
      }))
    },
  }
}

describe.skipIf(why !== undefined)('a command that is wrongly called read-only', () => {
  for (const { command, programs, lay } of CASES) {
    const missing = programs.find((program) => spawnSync(program, ['--version']).error !== undefined)
    if (missing) console.log(`skipped: ${command} needs ${missing}`)
    it.skipIf(missing !== undefined)(`changes nothing: ${command}`, async () => {
      const free = openTemporaryFolder()
      lay(free)
      const before = snapshot(free.path)
      spawnSync('bash', ['-c', command], { cwd: free.path, stdio: 'ignore' })
      expect(snapshot(free.path), 'it changes something outside the sandbox').not.toEqual(before)

      const folder = openTemporaryFolder()
      lay(folder)
      const untouched = snapshot(folder.path)
      for (const sandbox of ['preferred', 'off'] as const) {
        const source = credulous(builtinSource('shell', { sandbox }, { folder: folder.path }))
        const { exec, crib } = await openShell({}, { sources: [source] })
        const { invocation_id: id } = await exec({ command })
        expect(snapshot(folder.path)).toEqual(untouched)
        const { invocation } = (await crib.story(id))!
        expect(invocation.toolcrib?.['execution']).toMatchObject({
          sandbox: { profile: 'read_only_shell_sandbox' },
        })
      }
    })
  }
})
