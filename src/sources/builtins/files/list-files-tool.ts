import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { ExecuteContext } from '../../../catalog/execute-context.js'
import { toolOutput, type ToolOutput } from '../../../catalog/tool-output.js'
import type { ToolDraft } from '../../../catalog/tool-draft.js'
import { withoutUndefined } from '../../../platform/json/without-undefined.js'
import { oneLine } from '../../../platform/text/printable.js'
import { readingTool, type FileEnvironment } from './file-environment.js'
import { openEntries } from './walk/walk-folder.js'

interface ListInput {
  readonly path?: string
  readonly after?: string
  readonly limit?: number
}

const DEFAULT_LIMIT = 200
const MAX_LIMIT = 1000

export function listFilesTool(files: FileEnvironment): ToolDraft {
  return readingTool(files, {
    name: 'list_files',
    aliases: ['files.list'],
    title: 'List a folder',
    description: 'List the files and folders of one folder, by name, with kind, size and time of change.',
    searchHint: 'list, ls or dir: what is in a local folder or directory',
    capabilityRefs: ['local_file_read'],
    input: {
      modelSchema: {
        type: 'object',
        properties: {
          path: {
            type: 'string',
            minLength: 1,
            default: '.',
            description: 'The folder; the working folder by default.',
          },
          after: { type: 'string', description: 'List names after this one: to read on.' },
          limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
        },
        additionalProperties: false,
      },
      pathFields: [{ field: 'path', access: 'read', asksBelow: true }],
      examples: [{ path: 'src' }],
    },
    output: { schema: OUTPUT_SCHEMA },
    execute: (input: ListInput, context: ExecuteContext) => listFiles(files, input, context),
  })
}

const OUTPUT_SCHEMA = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    entries: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          kind: { enum: ['file', 'folder', 'link', 'other'] },
          size_bytes: { type: 'integer' },
          modified_at: { type: 'string' },
        },
        required: ['name', 'kind'],
      },
    },
    total: { type: 'integer' },
    next_after: { type: 'string', description: 'Where to read on.' },
    left_out: { type: 'integer', description: 'Entries that the rules keep from this call.' },
  },
  required: ['path', 'entries', 'total'],
} as const

interface Entry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  readonly size_bytes?: number
  readonly modified_at?: string
}

async function listFiles(
  files: FileEnvironment,
  input: ListInput,
  context: ExecuteContext,
): Promise<ToolOutput> {
  const place = files.roots.find(input.path ?? context.workspace, context)
  const names = openEntries(place).map(({ name }) => name)
  const allowed = names.filter((name) =>
    context.mayTouch(join(place.path, name), 'read', join(place.real, name)),
  )
  const sorted = allowed.toSorted()
  const { after, limit = DEFAULT_LIMIT } = input
  const rest = after === undefined ? sorted : sorted.filter((name) => name > after)
  const entries = rest.slice(0, limit).map((name) => describeEntry(join(place.real, name), name))
  const nextAfter = rest.length > limit ? entries.at(-1)!.name : undefined
  const leftOut = names.length - allowed.length
  const facts = {
    path: place.path,
    entries,
    total: sorted.length,
    next_after: nextAfter,
    left_out: leftOut > 0 ? leftOut : undefined,
  }
  const notes = [
    ...(nextAfter === undefined
      ? []
      : [`${sorted.length} entries; read on with after=${JSON.stringify(nextAfter)}.`]),
    ...(leftOut > 0 ? [`${leftOut} left out by rules.`] : []),
    ...(sorted.length === 0 && leftOut === 0 ? ['The folder is empty.'] : []),
  ]
  return toolOutput({
    content: [{ type: 'text', text: [...entries.map(lineOf), ...notes].join('\n') }],
    structured: withoutUndefined(facts),
  })
}

function describeEntry(path: string, name: string): Entry {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats) return { name, kind: 'other' }
  const modified_at = stats.mtime.toISOString()
  if (stats.isFile()) return { name, kind: 'file', size_bytes: stats.size, modified_at }
  if (stats.isDirectory()) return { name, kind: 'folder', modified_at }
  return { name, kind: stats.isSymbolicLink() ? 'link' : 'other', modified_at }
}

const MARKS = { file: '', folder: '/', link: ' (link)', other: ' (neither file nor folder)' } as const

function lineOf({ name, kind, size_bytes }: Entry): string {
  return `${oneLine(name)}${MARKS[kind]}${size_bytes === undefined ? '' : `  ${size_bytes}`}`
}
