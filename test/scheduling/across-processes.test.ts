import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-folder.js'

const child = fileURLToPath(new URL('children/locked-calls.mjs', import.meta.url))
const CALLS = 6

it('calls of processes that share a store never hold the same lock or slot at the same time', async () => {
  const folder = temporaryFolder()
  const log = join(folder, 'log')
  writeFileSync(log, '')
  const names = ['a', 'b', 'c']
  await Promise.all(
    names.map((name) => {
      const given = JSON.stringify({ path: join(folder, 'crib.db'), log, name, calls: CALLS })
      return promisify(execFile)(process.execPath, [child, given])
    }),
  )
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
  for (const tool of ['locked', 'single']) {
    const own = lines.filter((line) => line.startsWith(tool)).map((line) => line.slice(tool.length + 1))
    expect(own).toHaveLength(names.length * CALLS * 2 * 2)
    // Each start is followed by its own end, so no two calls overlap.
    for (let at = 0; at < own.length; at += 2)
      expect(own.slice(at, at + 2)).toEqual([own[at], own[at]!.replace('+', '-')])
    expect(new Set(own.map((line) => line.slice(2)))).toEqual(new Set(names))
  }
}, 60_000)
