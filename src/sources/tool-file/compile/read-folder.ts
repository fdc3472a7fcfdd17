import { lstatSync, readFileSync, realpathSync, statSync, type Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { nextTurn } from '../../../platform/async/next-turn.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import type { FileProblem } from '../compiled.js'
import { MAX_FILE_BYTES, type ReadFile } from '../read/decode.js'
import { LOCK_FILE } from '../lock/lock-file.js'
import { FILE_START, problemAt } from '../read/report.js'
import type { RuleCode } from './rules.js'

/** The files of a folder, by what they are, in the order of their names. */
export interface FolderFiles {
  readonly tools: readonly ReadFile[]
  readonly agents: readonly ReadFile[]
  /** By the name without its ending. */
  readonly sql: ReadonlyMap<string, ReadFile>
  readonly avro: ReadonlyMap<string, ReadFile>
  readonly lock?: ReadFile | undefined
  readonly problems: readonly FileProblem[]
}

export const TOOL_ENDING = '.tool.md'
export const AGENT_ENDING = '.agent.md'

/** How many files are read before other work gets a turn. */
const AT_ONCE = 64
const MAX_LOCK_BYTES = 64 * 1_048_576

/** Reads `tools/` and `agents/` of a folder. */
export async function readFolder(folder: string): Promise<FolderFiles> {
  const problems: FileProblem[] = []
  const report: Report = (code, file, message) =>
    void problems.push(problemAt(code, { file, at: FILE_START, message }))
  const found = (await Promise.all(['tools', 'agents'].map((part) => filesUnder(folder, part)))).flat()
  const wanted = found.filter(isRead)
  const misnamed = found.filter(
    (file) => !isRead(file) && (NAMED_AS_ONE.test(file) || beginsAsOne(folder, file)),
  )
  if (!found.some((file) => NAMED_AS_ONE.test(file))) await reportNothing(folder, report)
  for (const file of misnamed)
    report(
      'aml/misnamed-file',
      file,
      'This file is not read; name it tools/<tool_id>.tool.md or agents/<agent_id>.agent.md.',
    )
  const lock = readLock(folder)
  if (typeof lock === 'string') report('aml/unreadable-file', LOCK_FILE, lock)
  const files: ReadFile[] = []
  for (const [at, file] of wanted.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await nextTurn()
    const bytes = readBytes(join(folder, file))
    if (typeof bytes === 'string') report('aml/unreadable-file', file, bytes)
    else files.push({ file, bytes })
  }
  files.sort((left, right) => (left.file < right.file ? -1 : 1))
  const ending = (text: string): ReadFile[] => files.filter(({ file }) => file.endsWith(text))
  return {
    tools: ending(TOOL_ENDING),
    agents: ending(AGENT_ENDING),
    sql: new Map(ending('.sql').map((read) => [stemOf(read.file, '.sql'), read])),
    avro: new Map(ending('.avsc').map((read) => [stemOf(read.file, '.avsc'), read])),
    ...(typeof lock === 'object' && { lock }),
    problems,
  }
}

/** The lock file, or why it cannot be read; undefined where there is none. */
function readLock(folder: string): ReadFile | string | undefined {
  const path = join(folder, LOCK_FILE)
  if (!isThere(path)) return undefined
  const bytes = readBytes(path, MAX_LOCK_BYTES)
  if (typeof bytes === 'string') return bytes
  return bytes.length > MAX_LOCK_BYTES
    ? 'The file must be smaller than 64 MB; write it again.'
    : { file: LOCK_FILE, bytes }
}

/** Also a link that leads nowhere. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** `tools/search-kb.tool.md` without folder and ending. */
export function stemOf(file: string, ending: string): string {
  return file.slice(file.lastIndexOf('/') + 1, -ending.length)
}

type Report = (code: RuleCode, file: string, message: string) => void

/** Why there is no tool file and no agent file. */
async function reportNothing(folder: string, report: Report): Promise<void> {
  const found = await stat(folder).catch(() => undefined)
  if (!found) report('aml/missing-folder', '.', 'The folder is not there; create it or correct its path.')
  else if (!found.isDirectory())
    report('aml/missing-folder', '.', 'This is a file; give the folder that holds tools/ and agents/.')
  else if ((await namesIn(folder)).some((name) => name.endsWith(TOOL_ENDING) || name.endsWith(AGENT_ENDING)))
    report('aml/empty-folder', '.', 'Give the folder that holds tools/ and agents/, with the files in those.')
  else report('aml/empty-folder', '.', 'Put tool files into tools/, named <tool_id>.tool.md.')
}

/** The files of a part, and those in its folders, which are not read: their authors are told. */
async function filesUnder(folder: string, part: string): Promise<string[]> {
  const files = (await namesIn(join(folder, part))).map((name) => `${part}/${name}`)
  const folders = files.filter((file) => !file.includes('.'))
  const nested = await Promise.all(
    folders.map(async (path) => (await namesIn(join(folder, path))).map((name) => `${path}/${name}`)),
  )
  return [...files, ...nested.flat()]
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => !name.startsWith('.')).toSorted()
  } catch {
    return []
  }
}

const isRead = (file: string): boolean =>
  /^(?:tools\/[^/]+(?:\.tool\.md|\.sql|\.avsc)|agents\/[^/]+\.agent\.md)$/.test(file)

/** A name that shows what the file was meant to be. */
const NAMED_AS_ONE = /[._-](?:tool|agent)s?\.(?:md|markdown|ya?ml|mdx|txt)$/i

const OPENING_LINES =
  /^\uFEFF?(?:---[ \t]*\r?\n|spec_version:[^\n]*\n)(?:[^\n]*\n){0,20}?(?:tool_id|agent_id):/

/** A text that begins as a tool file or an agent file does, under any name. */
function beginsAsOne(folder: string, file: string): boolean {
  if (!/\.(?:md|markdown|ya?ml|mdx|txt)$/i.test(file)) return false
  const bytes = readBytes(join(folder, file))
  if (typeof bytes === 'string') return false
  return OPENING_LINES.test(Buffer.from(bytes.subarray(0, 2_000)).toString('utf8'))
}

/** Tools may share a file by a link. SQL is sent as it is, so that a link must not make SQL of any file of this machine. */
function linkedFile(path: string): Stats | undefined {
  const target = realpathSync(path)
  return endingOf(target) === endingOf(path) ? statSync(target) : undefined
}

const endingOf = (path: string): string => /(?:\.tool|\.agent)?\.[^./\\]*$/.exec(path)?.[0] ?? ''

/**
 * The bytes of a file, or why it cannot be read. Of a file that is too large, one byte too many. Not asynchronous: for
 * hundreds of small files that takes five times as long.
 */
function readBytes(path: string, maxBytes = MAX_FILE_BYTES): Uint8Array | string {
  try {
    const found = lstatSync(path).isSymbolicLink() ? linkedFile(path) : statSync(path)
    if (!found) return 'This link leads to a file of another kind; put the file itself here.'
    // A pipe or a device would wait or never end.
    if (!found.isFile()) return 'This is no regular file; remove it.'
    return found.size > maxBytes ? new Uint8Array(maxBytes + 1) : readFileSync(path)
  } catch (error) {
    return `The file cannot be read: ${errorMessage(error).split(',')[0]}.`
  }
}
