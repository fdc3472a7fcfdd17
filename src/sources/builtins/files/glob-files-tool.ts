import type { ExecuteContext } from '../../../catalog/execute-context.js'
import { toolOutput, type ToolOutput } from '../../../catalog/tool-output.js'
import type { ToolDraft } from '../../../catalog/tool-draft.js'
import { withoutUndefined } from '../../../platform/json/without-undefined.js'
import { oneLine } from '../../../platform/text/printable.js'
import { fileProblem } from './access/file-problem.js'
import { readingTool, type FileEnvironment } from './file-environment.js'
import { parseGlob, type GlobTest } from './walk/glob-pattern.js'
import { walkFolder } from './walk/walk-folder.js'

interface GlobInput {
  readonly pattern: string
  readonly path?: string
  readonly limit?: number
  readonly include_ignored?: boolean
}

const DEFAULT_LIMIT = 200
const MAX_LIMIT = 2000

export function globFilesTool(files: FileEnvironment): ToolDraft {
  return readingTool(files, {
    name: 'glob_files',
    aliases: ['files.glob', 'files.find'],
    title: 'Find files by name',
    description:
      'Find files by a pattern, such as *.ts or src/**/*.{ts,js}. Files that .gitignore names are left out.',
    searchHint: 'find files by name, pattern, extension or wildcard in local folders',
    capabilityRefs: ['local_file_read'],
    input: {
      modelSchema: {
        type: 'object',
        properties: {
          pattern: { type: 'string', minLength: 1, description: 'Without a slash: a name in any folder.' },
          path: { type: 'string', minLength: 1, default: '.', description: 'The folder to look in.' },
          limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
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
      examples: [{ pattern: '*.test.ts' }],
    },
    output: { schema: OUTPUT_SCHEMA },
    execute: (input: GlobInput, context: ExecuteContext) => globFiles(files, input, context),
  })
}

const OUTPUT_SCHEMA = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    files: { type: 'array', items: { type: 'string' }, description: 'Relative to the folder.' },
    total: { type: 'integer' },
    is_complete: { type: 'boolean' },
    left_out: { type: 'integer', description: 'Files and folders that the rules keep from this call.' },
  },
  required: ['path', 'files', 'total', 'is_complete'],
} as const

async function globFiles(
  files: FileEnvironment,
  input: GlobInput,
  context: ExecuteContext,
): Promise<ToolOutput> {
  const test = readGlob(input.pattern)
  const place = files.roots.find(input.path ?? context.workspace, context)
  const walk = await walkFolder(place, {
    protectedPaths: files.protectedPaths,
    context,
    obeysIgnore: input.include_ignored !== true,
  })
  const found = walk.entries.filter(({ isFile, segments }) => isFile && test(segments))
  const names = found.slice(0, input.limit ?? DEFAULT_LIMIT).map(({ segments }) => segments.join('/'))
  const isComplete = names.length === found.length && !walk.isCut
  const notes = [
    ...(found.length === 0 ? ['No file matches.'] : []),
    ...(names.length < found.length ? [`${names.length} of ${found.length} files; narrow the pattern.`] : []),
    ...walkNotes(walk),
  ]
  return toolOutput({
    content: [{ type: 'text', text: [...names.map(oneLine), ...notes].join('\n') }],
    structured: withoutUndefined({
      path: place.path,
      files: names,
      total: found.length,
      is_complete: isComplete,
      left_out: walk.leftOut > 0 ? walk.leftOut : undefined,
    }),
  })
}

/** The test of a pattern. A pattern cannot lead out of the folder. */
export function readGlob(pattern: string): GlobTest {
  if (pattern.startsWith('/') || pattern.split('/').includes('..'))
    throw fileProblem(
      'invalid_pattern',
      'The pattern is relative to "path" and has no ".."; set "path" instead.',
    )
  let test: GlobTest | undefined
  try {
    test = parseGlob(pattern)
  } catch {
    test = undefined
  }
  if (!test) throw fileProblem('invalid_pattern', `The pattern ${JSON.stringify(pattern)} cannot be read.`)
  return test
}

/** What a walk did not look at. */
export function walkNotes({
  isCut,
  leftOut,
  unreadable,
}: {
  isCut: boolean
  leftOut: number
  unreadable: number
}): string[] {
  return [
    ...(isCut ? ['There are more files than one call looks at; set "path" to a smaller folder.'] : []),
    ...(leftOut > 0 ? [`${leftOut} left out by rules.`] : []),
    ...(unreadable > 0 ? [`${unreadable} folders could not be read.`] : []),
  ]
}
