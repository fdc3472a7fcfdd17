import type { Stats } from 'node:fs'
import { lstatSync } from 'node:fs'
import { relative } from 'node:path'
import type { ExecuteContext } from '../../../../catalog/execute-context.js'
import { toolOutput, type ContentBlock, type ToolOutput } from '../../../../catalog/tool-output.js'
import { withoutUndefined } from '../../../../platform/json/without-undefined.js'
import { fileProblem, shown } from '../access/file-problem.js'
import type { FilePlace } from '../access/file-roots.js'
import { withFile } from '../access/open-checked.js'
import { digestOf, readWhole } from '../access/read-bytes.js'
import type { FileEnvironment } from '../file-environment.js'
import { decodeText, detectText, type TextForm } from '../text/text-encoding.js'
import { unifiedDiff } from '../text/unified-diff.js'

/** A file as it is before a change. */
export interface CurrentFile {
  readonly stats: Stats
  readonly bytes: Buffer
  readonly digest: string
  /** Undefined if it is not text. */
  readonly form: TextForm | undefined
}

interface Change {
  readonly files: FileEnvironment
  readonly place: FilePlace
  readonly context: ExecuteContext
  readonly expectedDigest: string | undefined
}

/** The file as it is now; undefined if there is none. Fails if it is not as the caller has seen it. */
export async function readCurrent({
  files,
  place,
  context,
  expectedDigest,
}: Change): Promise<CurrentFile | undefined> {
  if (!lstatSync(place.real, { throwIfNoEntry: false })) {
    if (expectedDigest === undefined) return undefined
    throw fileProblem('file_changed', `${shown(place.path)} does not exist any more.`)
  }
  const current = await withFile(place, files.protectedPaths, async (file) => {
    const bytes = await readWhole(file, place.path)
    return { stats: file.stats, bytes, digest: digestOf(bytes), form: detectText(bytes) }
  })
  if (expectedDigest !== undefined && expectedDigest !== current.digest)
    throw fileProblem(
      'file_changed',
      `${shown(place.path)} is not as expected_digest says: it is ${current.digest} now; read it again.`,
    )
  const seen = files.seen.find(context, place.real)
  if (expectedDigest === undefined && seen !== undefined && seen !== current.digest)
    throw fileProblem(
      'file_changed',
      `${shown(place.path)} was changed since it was read here; read it again before changing it.`,
    )
  return current
}

export interface Changed {
  readonly files: FileEnvironment
  readonly place: FilePlace
  readonly context: ExecuteContext
  readonly before: CurrentFile | undefined
  readonly after: Buffer
  readonly more?: Readonly<Record<string, unknown>>
}

/** The result of a change: digests before and after, and the difference. */
export function changeOutput({ files, place, context, before, after, more = {} }: Changed): ToolOutput {
  const afterDigest = digestOf(after)
  files.seen.keep(context, place.real, afterDigest)
  const action = before === undefined ? 'created' : before.digest === afterDigest ? 'unchanged' : 'changed'
  const isHidden =
    files.isPrivate(place.path) ||
    files.isPrivate(place.real) ||
    // The difference shows what was in the file.
    !context.mayTouch(place.path, 'read', place.real)
  const difference = isHidden || action === 'unchanged' ? undefined : diffOf(place, before, after, files)
  const facts = withoutUndefined({
    path: place.path,
    action,
    before_digest: before?.digest,
    after_digest: afterDigest,
    size_bytes: after.length,
    lines_added: difference?.added,
    lines_removed: difference?.removed,
    ...more,
  })
  const said = `${SAYS[action]} ${shown(place.path)}${difference ? ` (+${difference.added} -${difference.removed} lines)` : ''}.`
  const blocks: ContentBlock[] = [{ type: 'text', text: said }]
  if (difference) blocks.push({ type: 'diff', text: difference.text, media_type: 'text/x-diff' })
  return toolOutput({
    content: blocks,
    structured: difference ? { ...facts, diff: difference.text } : facts,
    summary: said,
  })
}

const SAYS = { created: 'Created', changed: 'Changed', unchanged: 'Nothing to change in' } as const

/** A longer difference tells a reader less than the file. */
const MAX_DIFF_CHARS = 12_000

function diffOf(
  { path }: FilePlace,
  before: CurrentFile | undefined,
  after: Buffer,
  { roots }: FileEnvironment,
): ReturnType<typeof unifiedDiff> | undefined {
  const form = detectText(after)
  if (!form || (before && !before.form)) return undefined
  const names = roots.folders.map((folder) => relative(folder, path)).filter((name) => !name.startsWith('..'))
  const old = before?.form ? decodeText(before.bytes, before.form) : ''
  return unifiedDiff(plain(old), plain(decodeText(after, form)), {
    name: names[0] ?? path,
    maxChars: MAX_DIFF_CHARS,
  })
}

/** Carriage returns are kept in files and left out of differences. */
const plain = (text: string): string => text.replaceAll('\r\n', '\n')

export const CHANGE_SCHEMA = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    action: { enum: ['created', 'changed', 'unchanged'] },
    before_digest: { type: 'string' },
    after_digest: { type: 'string' },
    size_bytes: { type: 'integer' },
    lines_added: { type: 'integer' },
    lines_removed: { type: 'integer' },
    replacements: { type: 'integer' },
    encoding: { type: 'string' },
    diff: { type: 'string' },
  },
  required: ['path', 'action', 'after_digest', 'size_bytes'],
} as const
