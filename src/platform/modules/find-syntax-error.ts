import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface SyntaxPosition {
  file: string
  line: number
}

const CHECK_MS = 5_000
const MOST_FILES = 40

/**
 * The position where a module, or a module that it imports by a relative path, cannot be parsed. Node does not report
 * the position of such an error in an ES module, but prints it when it only checks a file: nothing is run.
 */
export function findSyntaxError(module: string): SyntaxPosition | undefined {
  const seen = new Set([module])
  for (const file of seen) {
    const found = checkFile(file)
    if (found) return found
    for (const imported of importsOf(file)) if (seen.size < MOST_FILES) seen.add(imported)
  }
  return undefined
}

function checkFile(file: string): SyntaxPosition | undefined {
  // Without the variables of this process: NODE_OPTIONS may name modules to run.
  const { status, stderr } = spawnSync(process.execPath, ['--check', file], {
    encoding: 'utf8',
    env: {},
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: CHECK_MS,
  })
  return status === 0 || typeof stderr !== 'string' ? undefined : placeIn(stderr)
}

const PLACE = /^\s*(\S.*?):(\d+)(?::\d+)?\)?$/gm

/** The first file and line on a line of their own, as parsers print them above or below an error. */
export function placeIn(text: string): SyntaxPosition | undefined {
  for (const [, where = '', line] of text.matchAll(PLACE)) {
    const file = where.startsWith('file://') ? fileURLToPath(where) : where
    if (existsSync(file)) return { file, line: Number(line) }
  }
  return undefined
}

const IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'](\.{1,2}\/[^"'\n]+)["']/g

function importsOf(file: string): string[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return [...text.matchAll(IMPORT)]
    .map(([, path = '']) => resolve(dirname(file), path))
    .filter((path) => /\.[cm]?js$/.test(path) && existsSync(path))
}
