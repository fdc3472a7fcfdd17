import { closeSync } from 'node:fs'
import { lstatSync } from 'node:fs'
import { basename } from 'node:path'
import type { ExecuteContext } from '../../../../catalog/execute-context.js'
import { toolOutput, type ToolOutput } from '../../../../catalog/tool-output.js'
import type { ToolDraft } from '../../../../catalog/tool-draft.js'
import { withoutUndefined } from '../../../../platform/json/without-undefined.js'
import { oneLine } from '../../../../platform/text/printable.js'
import { truncate } from '../../../../platform/text/truncate.js'
import { systemProblem } from '../access/file-problem.js'
import type { FilePlace } from '../access/file-roots.js'
import { openFile } from '../access/open-checked.js'
import { MAX_WHOLE_BYTES, readWhole } from '../access/read-bytes.js'
import { readingTool, type FileEnvironment } from '../file-environment.js'
import { readGlob, walkNotes } from '../glob-files-tool.js'
import { decodeText, detectText } from '../text/text-encoding.js'
import { walkFolder, type Walk, type WalkedEntry } from '../walk/walk-folder.js'
import { findCandidates } from './find-candidates.js'
import { createLineMatcher, type LineMatcher } from './line-matcher.js'

interface SearchInput {
  readonly pattern: string
  readonly path?: string
  readonly glob?: string
  readonly literal?: boolean
  readonly ignore_case?: boolean
  readonly context_lines?: number
  readonly limit?: number
  readonly include_ignored?: boolean
}

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1000
const MAX_LINE_CHARS = 400
/** How much text is searched at a time. */
const BATCH_CHARS = 512 * 1024

export function searchFilesTool(files: FileEnvironment, ripgrep: string | undefined): ToolDraft {
  return readingTool(files, {
    name: 'search_files',
    aliases: ['files.search', 'files.grep'],
    title: 'Search in files',
    description:
      'Search the lines of text files for a regular expression or a text. Files that .gitignore names, binary files and files that rules deny are left out.',
    searchHint: 'search, grep or find text, words or a regular expression in local files',
    capabilityRefs: ['local_file_read'],
    input: {
      modelSchema: {
        type: 'object',
        properties: {
          pattern: {
            type: 'string',
            minLength: 1,
            maxLength: 2000,
            description: 'A regular expression for a line.',
          },
          path: { type: 'string', minLength: 1, default: '.', description: 'The folder or file to search.' },
          glob: { type: 'string', minLength: 1, description: 'Only files with such names, such as *.ts.' },
          literal: { type: 'boolean', default: false, description: 'Whether the pattern is a plain text.' },
          ignore_case: { type: 'boolean', default: false },
          context_lines: {
            type: 'integer',
            minimum: 0,
            maximum: 10,
            default: 0,
            description: 'Lines around each match.',
          },
          limit: {
            type: 'integer',
            minimum: 1,
            maximum: MAX_LIMIT,
            default: DEFAULT_LIMIT,
            description: 'How many matches.',
          },
          include_ignored: {
            type: 'boolean',
            default: false,
            description: 'Whether ignored files count too.',
          },
        },
        required: ['pattern'],
        additionalProperties: false,
      },
      pathFields: [{ field: 'path', access: 'read', asksBelow: true }],
      examples: [{ pattern: String.raw`TODO|FIXME`, glob: '*.ts' }],
    },
    output: { schema: OUTPUT_SCHEMA },
    execute: (input: SearchInput, context: ExecuteContext) => searchFiles({ files, ripgrep, input, context }),
  })
}

const OUTPUT_SCHEMA = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    matches: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          file: { type: 'string', description: 'Relative to the folder.' },
          line: { type: 'integer' },
          text: { type: 'string' },
          before: { type: 'array', items: { type: 'string' } },
          after: { type: 'array', items: { type: 'string' } },
        },
        required: ['file', 'line', 'text'],
      },
    },
    files_searched: { type: 'integer' },
    is_complete: { type: 'boolean', description: 'False if there are more matches or files.' },
    left_out: { type: 'integer', description: 'Files and folders that the rules keep from this call.' },
  },
  required: ['path', 'matches', 'files_searched', 'is_complete'],
} as const

interface Match {
  readonly file: string
  readonly line: number
  readonly text: string
  readonly before?: readonly string[]
  readonly after?: readonly string[]
}

interface Search {
  readonly files: FileEnvironment
  readonly ripgrep: string | undefined
  readonly input: SearchInput
  readonly context: ExecuteContext
}

async function searchFiles(search: Search): Promise<ToolOutput> {
  const { files, input, context } = search
  const place = files.roots.find(input.path ?? context.workspace, context)
  const matcher = createLineMatcher({
    pattern: input.pattern,
    isLiteral: input.literal === true,
    ignoreCase: input.ignore_case === true,
  })
  try {
    const walk = await filesAt(place, search)
    const found = await findMatches(await candidatesIn(walk, matcher, { ...search, place }), matcher, search)
    return toOutput(place, walk, found)
  } finally {
    await matcher.close()
  }
}

/** The files to search: those of a folder, or the one file. */
async function filesAt(place: FilePlace, { files, input, context }: Search): Promise<Walk> {
  const test = input.glob === undefined ? undefined : readGlob(input.glob)
  const stats = lstatSync(place.real, { throwIfNoEntry: false })
  if (!stats) throw systemProblem({ code: 'ENOENT' }, place.path)
  if (!stats.isDirectory()) {
    const only: WalkedEntry = { ...place, segments: [basename(place.path)], isFolder: false, isFile: true }
    return { entries: [only], leftOut: 0, unreadable: 0, isCut: false }
  }
  const walk = await walkFolder(place, {
    protectedPaths: files.protectedPaths,
    context,
    obeysIgnore: input.include_ignored !== true,
  })
  const entries = walk.entries.filter(
    ({ isFile, path, segments }) => isFile && (!test || test(segments)) && !files.isPrivate(path),
  )
  const { leftOut, unreadable, isCut } = walk
  return { entries, leftOut, unreadable, isCut }
}

async function candidatesIn(
  { entries }: Walk,
  { ripgrepPattern: pattern }: LineMatcher,
  { ripgrep, input, context, place }: Search & { place: FilePlace },
): Promise<{ all: readonly WalkedEntry[]; chosen: readonly WalkedEntry[] }> {
  if (ripgrep === undefined || pattern === undefined) return { all: entries, chosen: entries }
  const chosen = await findCandidates(entries, {
    ripgrep,
    pattern,
    ignoreCase: input.ignore_case === true,
    cwd: place.real,
    signal: context.signal,
  })
  return { all: entries, chosen }
}

interface Found {
  readonly matches: readonly Match[]
  readonly filesSearched: number
  readonly isFull: boolean
}

async function findMatches(
  { all, chosen }: { all: readonly WalkedEntry[]; chosen: readonly WalkedEntry[] },
  matcher: LineMatcher,
  { files, input, context }: Search,
): Promise<Found> {
  const limit = input.limit ?? DEFAULT_LIMIT
  const matches: Match[] = []
  let last: WalkedEntry | undefined
  for await (const batch of inBatches(chosen, files)) {
    context.signal.throwIfAborted()
    const lines = batch.flatMap((each) => each.lines)
    const hits = new Set(await matcher.match(lines))
    let offset = 0
    for (const { entry, lines: own } of batch) {
      for (let index = 0; index < own.length; index++) {
        if (!hits.has(offset + index)) continue
        if (matches.length === limit) return { matches, filesSearched: all.indexOf(last!) + 1, isFull: true }
        matches.push(toMatch(entry, own, index, input.context_lines ?? 0))
        last = entry
      }
      offset += own.length
    }
  }
  return { matches, filesSearched: all.length, isFull: false }
}

interface SearchedFile {
  readonly entry: WalkedEntry
  readonly lines: readonly string[]
}

/** The lines of files, several at a time. Files that are not text, too large or gone are passed over. */
async function* inBatches(
  entries: readonly WalkedEntry[],
  files: FileEnvironment,
): AsyncGenerator<SearchedFile[]> {
  let batch: SearchedFile[] = []
  let chars = 0
  for (const entry of entries) {
    const text = await textOf(entry, files)
    if (text === undefined) continue
    batch.push({ entry, lines: linesOf(text) })
    chars += text.length
    if (chars < BATCH_CHARS) continue
    yield batch
    batch = []
    chars = 0
  }
  if (batch.length > 0) yield batch
}

async function textOf(
  entry: FilePlace,
  { protectedPaths, isPrivate }: FileEnvironment,
): Promise<string | undefined> {
  if (isPrivate(entry.path) || isPrivate(entry.real)) return undefined
  try {
    const file = openFile(entry, protectedPaths)
    try {
      if (file.stats.size > MAX_WHOLE_BYTES) return undefined
      const bytes = await readWhole(file, entry.path)
      const form = detectText(bytes)
      return form && decodeText(bytes, form)
    } finally {
      closeSync(file.descriptor)
    }
  } catch {
    return undefined
  }
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function toMatch({ segments }: WalkedEntry, lines: readonly string[], index: number, context: number): Match {
  const shorten = (line: string): string => truncate(line, MAX_LINE_CHARS)
  return {
    file: segments.join('/'),
    line: index + 1,
    text: shorten(lines[index]!),
    ...(context > 0 && {
      before: lines.slice(Math.max(0, index - context), index).map(shorten),
      after: lines.slice(index + 1, index + 1 + context).map(shorten),
    }),
  }
}

function toOutput({ path }: FilePlace, walk: Walk, { matches, filesSearched, isFull }: Found): ToolOutput {
  const notes = [
    ...(matches.length === 0 ? [`No match in ${filesSearched} files.`] : []),
    ...(isFull ? [`There are more than ${matches.length} matches; narrow the search, or raise limit.`] : []),
    ...walkNotes(walk),
  ]
  return toolOutput({
    content: [{ type: 'text', text: [...matches.flatMap(toLines), ...notes].join('\n') }],
    structured: withoutUndefined({
      path,
      matches,
      files_searched: filesSearched,
      is_complete: !isFull && !walk.isCut,
      left_out: walk.leftOut > 0 ? walk.leftOut : undefined,
    }),
  })
}

function toLines({ file, line, text, before = [], after = [] }: Match): string[] {
  const name = oneLine(file)
  const around = (lines: readonly string[], from: number): string[] =>
    lines.map((each, index) => `${name}-${from + index}-${each}`)
  return [...around(before, line - before.length), `${name}:${line}:${text}`, ...around(after, line + 1)]
}
