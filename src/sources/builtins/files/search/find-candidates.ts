import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { runProcess } from '../../../../platform/processes/run-process.js'
import type { FilePlace } from '../access/file-roots.js'

/** The path of ripgrep; undefined if it is not installed. */
export function findRipgrep(env: NodeJS.ProcessEnv): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(isAbsolute)
  return folders.map((folder) => join(folder, 'rg')).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** For fewer files, starting a program takes longer than reading them. */
const MIN_FILES = 20
/** The arguments of a program are limited. */
const MAX_ARGUMENT_BYTES = 400_000
const MAX_OUTPUT_BYTES = 16_000_000

const OPTIONS = [
  '--no-config',
  '--no-ignore',
  '--hidden',
  '--text',
  '--encoding=none',
  '--files-with-matches',
  '--null',
  '--no-messages',
  '--color=never',
]
/** Files with other characters than ASCII are searched here: both read only ASCII alike. */
const NOT_ASCII = String.raw`(?-u:[\x80-\xff])`

export interface CandidateSearch {
  readonly ripgrep: string
  readonly pattern: string
  readonly ignoreCase: boolean
  readonly cwd: string
  readonly signal: AbortSignal
}

/**
 * Leaves out files in which ripgrep finds nothing. It only chooses: each line that a result shows is read from a file
 * that was opened and checked here. If ripgrep fails, all files are left in.
 */
export async function findCandidates<File extends FilePlace>(
  files: readonly File[],
  { ripgrep, pattern, ignoreCase, cwd, signal }: CandidateSearch,
): Promise<readonly File[]> {
  if (files.length < MIN_FILES) return files
  const options = [...OPTIONS, ...(ignoreCase ? ['--ignore-case'] : []), '-e', pattern, '-e', NOT_ASCII, '--']
  const found = new Set<string>()
  for (const batch of inBatches(files)) {
    try {
      const { exit_code, stdout } = await runProcess(
        ripgrep,
        [...options, ...batch.map(({ real }) => real)],
        {
          signal,
          cwd,
          maxOutputBytes: MAX_OUTPUT_BYTES,
        },
      )
      if (exit_code > 1) return files
      for (const name of stdout.split('\0')) found.add(name)
    } catch (error) {
      if (signal.aborted) throw error
      return files
    }
  }
  return files.filter(({ real }) => found.has(real))
}

function* inBatches<File extends FilePlace>(files: readonly File[]): Generator<File[]> {
  let batch: File[] = []
  let bytes = 0
  for (const file of files) {
    bytes += Buffer.byteLength(file.real) + 1
    if (bytes > MAX_ARGUMENT_BYTES && batch.length > 0) {
      yield batch
      batch = []
      bytes = Buffer.byteLength(file.real) + 1
    }
    batch.push(file)
  }
  if (batch.length > 0) yield batch
}
