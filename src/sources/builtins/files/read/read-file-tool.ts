import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ExecuteContext } from '../../../../catalog/execute-context.js'
import { toolOutput, type ContentBlock, type ToolOutput } from '../../../../catalog/tool-output.js'
import type { ToolDraft } from '../../../../catalog/tool-draft.js'
import { withoutUndefined } from '../../../../platform/json/without-undefined.js'
import { fileProblem, shown } from '../access/file-problem.js'
import type { FilePlace } from '../access/file-roots.js'
import { withFile, type OpenedFile } from '../access/open-checked.js'
import { digestOf, MAX_WHOLE_BYTES, readRange, readWhole } from '../access/read-bytes.js'
import { readingTool, type FileEnvironment } from '../file-environment.js'
import {
  decodeText,
  detectText,
  formOf,
  textEncodings,
  toUtf8,
  type TextEncoding,
} from '../text/text-encoding.js'
import { cutPage, withNumbers } from '../text/text-page.js'
import { binaryType, textType } from './file-type.js'
import { readHuge } from './read-huge.js'

interface ReadInput {
  readonly path: string
  readonly start_line?: number
  readonly line_count?: number
  readonly start_byte?: number
  readonly byte_count?: number
  readonly encoding?: TextEncoding | 'base64'
  readonly line_numbers?: boolean
}

const MAX_LINES = 2000
const MAX_BYTES = 1024 * 1024
/** Larger images are only linked. */
const MAX_IMAGE_BYTES = 4 * 1024 * 1024

export function readFileTool(files: FileEnvironment): ToolDraft {
  return readingTool(files, {
    name: 'read_file',
    aliases: ['files.read'],
    title: 'Read a file',
    description:
      'Read a file: text with line numbers, a page at a time; images as images; other files as a link. Says how to read on.',
    searchHint: 'read, open, show, view or cat a local file, its lines, its bytes or an image',
    capabilityRefs: ['local_file_read'],
    input: {
      modelSchema: {
        type: 'object',
        properties: {
          path: {
            type: 'string',
            minLength: 1,
            description: 'The file, absolute or relative to the working folder.',
          },
          start_line: {
            type: 'integer',
            description: 'The first line, from 1; -20 means the last 20 lines.',
          },
          line_count: { type: 'integer', minimum: 1, description: 'How many lines.' },
          start_byte: { type: 'integer', minimum: 0, description: 'Read bytes from here, and not lines.' },
          byte_count: { type: 'integer', minimum: 1, maximum: MAX_BYTES, description: 'How many bytes.' },
          encoding: {
            enum: [...textEncodings, 'base64'],
            description: 'How the text is encoded; found out by default. base64 gives the bytes.',
          },
          line_numbers: { type: 'boolean', default: true, description: 'Whether lines have their numbers.' },
        },
        required: ['path'],
        additionalProperties: false,
      },
      pathFields: [{ field: 'path', access: 'read' }],
      examples: [{ path: 'README.md' }, { path: 'src/main.ts', start_line: 120, line_count: 40 }],
    },
    output: {
      schema: OUTPUT_SCHEMA,
      // A stored page would have to be read in pages again: the file itself is what can be read again.
      persistence: 'never_persist',
    },
    validateValues: (input: ReadInput) =>
      input.start_line === 0 ? '"start_line" counts from 1, or from -1 at the end.' : undefined,
    execute: (input: ReadInput, context: ExecuteContext) => readFile(files, input, context),
  })
}

const OUTPUT_SCHEMA = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    media_type: { type: 'string' },
    size_bytes: { type: 'integer' },
    digest: { type: 'string', description: 'Of the whole file; edit_file and write_file accept it.' },
    encoding: { type: 'string' },
    line_endings: { enum: ['lf', 'crlf'] },
    start_line: { type: 'integer' },
    end_line: { type: 'integer' },
    total_lines: { type: 'integer' },
    next_line: { type: 'integer', description: 'Where to read on.' },
    next_byte: { type: 'integer', description: 'Where to read on.' },
    text: { type: 'string' },
    is_private: { type: 'boolean' },
  },
  required: ['path', 'media_type', 'size_bytes'],
} as const

async function readFile(
  files: FileEnvironment,
  input: ReadInput,
  context: ExecuteContext,
): Promise<ToolOutput> {
  const { roots, protectedPaths } = files
  const place = roots.find(input.path, context)
  const limits = context.resultLimits()
  return withFile(place, protectedPaths, async (file) => {
    const read: Read = { files, place, file, input, context, maxChars: pageChars(limits) }
    const maxLines = Math.max(1, Math.min(input.line_count ?? MAX_LINES, (limits.maxLines ?? Infinity) - 2))
    if (files.isPrivate(place.path) || files.isPrivate(place.real)) return summarize(read)
    if (input.start_byte !== undefined || input.byte_count !== undefined || input.encoding === 'base64')
      return readByBytes(read)
    return file.stats.size > MAX_WHOLE_BYTES ? readHugeFile(read, maxLines) : readText(read, maxLines)
  })
}

interface Read {
  readonly files: FileEnvironment
  readonly place: FilePlace
  readonly file: OpenedFile
  readonly input: ReadInput
  readonly context: ExecuteContext
  readonly maxChars: number
}

/** Room for the facts beside the text. A token has about three characters at the least. */
function pageChars({ maxChars, maxTokens = Infinity }: { maxChars: number; maxTokens?: number }): number {
  return Math.max(200, Math.floor(Math.min(maxChars, maxTokens * 3) * 0.9) - 300)
}

async function readText(read: Read, maxLines: number): Promise<ToolOutput> {
  const { files, place, file, input, context, maxChars } = read
  const bytes = await readWhole(file, place.path)
  const digest = digestOf(bytes)
  files.seen.keep(context, place.real, digest)
  const form =
    input.encoding && input.encoding !== 'base64' ? formOf(bytes, input.encoding) : detectText(bytes)
  if (!form) return linkTo(read, bytes, digest)
  const text = toUtf8(bytes, form)
  const page = cutPage(text, { startLine: input.start_line ?? 1, maxLines, maxChars })
  const { startLine, totalLines, lines, cut } = page
  if (startLine > Math.max(1, totalLines))
    throw fileProblem('invalid_range', `${shown(place.path)} has ${totalLines} lines; start at one of them.`)
  const endLine = startLine + lines.length - 1
  const hasMore = endLine < totalLines
  const facts = {
    path: place.path,
    media_type: textType(place.path),
    size_bytes: bytes.length,
    digest,
    encoding: form.encoding,
    line_endings: text.includes('\r\n') ? 'crlf' : 'lf',
    start_line: startLine,
    end_line: endLine,
    total_lines: totalLines,
    next_line: hasMore ? endLine + 1 : undefined,
  }
  const notes = [
    ...(bytes.length === 0 ? ['The file is empty.'] : []),
    ...(hasMore
      ? [`Lines ${startLine} to ${endLine} of ${totalLines}; read on with start_line=${endLine + 1}.`]
      : []),
    ...cut
      .slice(0, 3)
      .map(({ line, byte }) =>
        form.encoding === 'utf-8'
          ? `Line ${line} is long; all of it starts at start_byte=${byte + form.mark.length}.`
          : `Line ${line} is long and was cut.`,
      ),
  ]
  return textOutput(read, { facts, lines, startLine, notes })
}

async function readHugeFile(read: Read, maxLines: number): Promise<ToolOutput> {
  const { place, file, input, maxChars } = read
  const { lines, startLine, isLast } = await readHuge(file, place.path, {
    startLine: input.start_line ?? 1,
    maxLines,
    maxChars,
  })
  const endLine = startLine === undefined ? undefined : startLine + lines.length - 1
  const next = isLast || endLine === undefined ? undefined : endLine + 1
  const facts = {
    path: place.path,
    media_type: textType(place.path),
    size_bytes: file.stats.size,
    start_line: startLine,
    end_line: endLine,
    next_line: next,
  }
  const size = `The file has ${file.stats.size} bytes; its lines were not counted.`
  const notes = [next === undefined ? size : `${size} Read on with start_line=${next}.`]
  return textOutput(read, { facts, lines, startLine, notes })
}

interface Shown {
  readonly facts: { path: string; media_type: string; size_bytes: number; digest?: string | undefined }
  readonly lines: readonly string[]
  readonly startLine: number | undefined
  readonly notes: readonly string[]
}

function textOutput({ input }: Read, { facts, lines, startLine, notes }: Shown): ToolOutput {
  const text = lines.join('\n')
  const isNumbered = input.line_numbers !== false && startLine !== undefined && lines.length > 0
  const blocks = [isNumbered ? withNumbers(lines, startLine) : text, notes.join('\n')]
  return toolOutput({
    content: blocks.filter((block) => block !== '').map((block) => ({ type: 'text', text: block })),
    structured: withoutUndefined({ ...facts, text }),
    resourceRefs: [refOf(facts)],
  })
}

/** Bytes as text, or as Base64 where they are not text. */
async function readByBytes(read: Read): Promise<ToolOutput> {
  const { place, file, input, maxChars } = read
  const start = input.start_byte ?? 0
  const size = Math.max(file.stats.size, 1)
  if (start >= size)
    throw fileProblem(
      'invalid_range',
      `${shown(place.path)} has ${file.stats.size} bytes; start before that.`,
    )
  const most = Math.min(
    input.byte_count ?? maxChars,
    input.encoding === 'base64' ? (maxChars * 3) >> 2 : maxChars,
  )
  const bytes = await readRange(file, start, most)
  const isText = input.encoding === undefined || input.encoding === 'base64' ? undefined : input.encoding
  const form =
    input.encoding === 'base64'
      ? undefined
      : isText
        ? formOf(bytes, isText)
        : detectText(bytes, { isCut: true })
  const next = start + bytes.length
  const facts = {
    path: place.path,
    media_type: form ? textType(place.path) : binaryType(bytes, place.path),
    size_bytes: file.stats.size,
    encoding: form?.encoding ?? 'base64',
    next_byte: next < file.stats.size ? next : undefined,
  }
  const text = form ? decodeText(bytes, form) : bytes.subarray(0, (maxChars * 3) >> 2).toString('base64')
  const notes = next < file.stats.size ? [`Read on with start_byte=${next}.`] : []
  return textOutput(read, { facts, lines: [text], startLine: undefined, notes })
}

/** A file that is not text: an image is shown, any other file is linked. */
function linkTo({ place }: Read, bytes: Buffer, digest: string): ToolOutput {
  const media_type = binaryType(bytes, place.path)
  const facts = { path: place.path, media_type, size_bytes: bytes.length, digest }
  const ref = refOf(facts)
  const link: ContentBlock = { type: 'resource_link', ...ref }
  const isShown = media_type.startsWith('image/') && bytes.length <= MAX_IMAGE_BYTES
  const said = isShown ? '' : ' Read its bytes with encoding=base64, start_byte and byte_count.'
  return toolOutput({
    content: [
      ...(isShown
        ? [{ type: 'image' as const, data: bytes.toString('base64'), media_type, size_bytes: bytes.length }]
        : []),
      { type: 'text', text: `${basename(place.path)} is ${media_type} with ${bytes.length} bytes.${said}` },
      link,
    ],
    structured: facts,
    resourceRefs: [ref],
  })
}

/** A private file: what it is, without its content. */
async function summarize({ files, place, file, context }: Read): Promise<ToolOutput> {
  const digest = file.stats.size > MAX_WHOLE_BYTES ? undefined : digestOf(await readWhole(file, place.path))
  if (digest !== undefined) files.seen.keep(context, place.real, digest)
  const facts = withoutUndefined({
    path: place.path,
    media_type: textType(place.path),
    size_bytes: file.stats.size,
    digest,
    is_private: true,
  })
  const summary = `${basename(place.path)} is a private file with ${file.stats.size} bytes; its content is not shown.`
  return toolOutput({
    content: [{ type: 'text', text: summary, redaction_state: 'redacted' }],
    structured: facts,
    summary,
    resourceRefs: [{ ...refOf(facts), access: 'protected', redaction_state: 'redacted' }],
  })
}

function refOf(facts: Shown['facts']): Record<string, unknown> & { uri: string } {
  const { path, media_type, size_bytes, digest } = facts
  const { href } = pathToFileURL(path)
  return {
    ...withoutUndefined({ ref_id: href, name: basename(path), media_type, size_bytes, digest }),
    uri: href,
    access: 'local_file',
    relation: 'read',
    redaction_state: 'none',
  }
}
