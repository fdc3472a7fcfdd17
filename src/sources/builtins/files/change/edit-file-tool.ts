import type { ExecuteContext } from '../../../../catalog/execute-context.js'
import type { ToolOutput } from '../../../../catalog/tool-output.js'
import type { ToolDraft } from '../../../../catalog/tool-draft.js'
import { fileProblem, shown } from '../access/file-problem.js'
import { changingTool, type FileEnvironment } from '../file-environment.js'
import { lineEndingOf, withLineEnding } from '../text/line-endings.js'
import { decodeText } from '../text/text-encoding.js'
import { CHANGE_SCHEMA, changeOutput, readCurrent } from './change-text.js'
import { replaceContent } from './replace-content.js'
import { encodeFor } from './write-file-tool.js'

interface EditInput {
  readonly path: string
  readonly old_text: string
  readonly new_text: string
  readonly replace_all?: boolean
  readonly expected_digest?: string
}

export function editFileTool(files: FileEnvironment): ToolDraft {
  return changingTool(
    files,
    { isDestructive: false },
    {
      name: 'edit_file',
      aliases: ['files.edit'],
      title: 'Edit a file',
      description:
        'Replace an exact text in a file by another. The text must occur once, or replace_all be true. Refuses if the file is not as it was read. Gives the difference.',
      searchHint: 'edit, change, replace, patch or insert text in a local file',
      capabilityRefs: ['local_file_write'],
      input: {
        modelSchema: {
          type: 'object',
          properties: {
            path: {
              type: 'string',
              minLength: 1,
              description: 'The file, absolute or relative to the working folder.',
            },
            old_text: {
              type: 'string',
              minLength: 1,
              description: 'The text in the file, without line numbers.',
            },
            new_text: { type: 'string', description: 'The text that takes its place.' },
            replace_all: {
              type: 'boolean',
              default: false,
              description: 'Whether to replace every occurrence.',
            },
            expected_digest: {
              type: 'string',
              description: 'The digest that read_file gave: a file that was changed since is not edited.',
            },
          },
          required: ['path', 'old_text', 'new_text'],
          additionalProperties: false,
        },
        // Read as well: the difference, and whether a text was found, tell what is in the file.
        pathFields: [
          { field: 'path', access: 'read' },
          { field: 'path', access: 'write' },
        ],
        examples: [{ path: 'src/main.ts', old_text: 'const port = 80', new_text: 'const port = 8080' }],
      },
      output: { schema: CHANGE_SCHEMA },
      validateValues: ({ old_text, new_text }: EditInput) =>
        old_text === new_text ? '"old_text" and "new_text" are the same.' : undefined,
      execute: (input: EditInput, context: ExecuteContext) => editFile(files, input, context),
    },
  )
}

async function editFile(
  files: FileEnvironment,
  input: EditInput,
  context: ExecuteContext,
): Promise<ToolOutput> {
  const place = files.roots.find(input.path, context)
  const before = await readCurrent({ files, place, context, expectedDigest: input.expected_digest })
  if (!before)
    throw fileProblem('file_not_found', `There is no ${shown(place.path)}; create it with write_file.`)
  if (!before.form) throw fileProblem('not_a_file', `${shown(place.path)} is not a text file.`)
  const text = decodeText(before.bytes, before.form)
  const { next, replacements } = replaceText(text, input)
  const after = encodeFor(input.path, next, before.form)
  replaceContent(place, after, before.stats)
  return changeOutput({ files, place, context, before, after, more: { replacements } })
}

/** The exact text, or the same text with the line endings of the file. */
function replaceText(text: string, input: EditInput): { next: string; replacements: number } {
  const { path, old_text, new_text, replace_all: isAll = false } = input
  const ending = lineEndingOf(text)
  const sought = text.includes(old_text) ? old_text : withLineEnding(old_text, ending)
  const places = placesOf(text, sought)
  if (places.length === 0) throw notFound(text, input)
  if (places.length > 1 && !isAll) {
    const lines = places.slice(0, 10).map((at) => lineAt(text, at))
    throw fileProblem(
      'stale_edit',
      `"old_text" occurs ${places.length} times in ${shown(path)}, at the lines ${lines.join(', ')}; give more of its surroundings, or set replace_all.`,
    )
  }
  const replacement = withLineEnding(new_text, ending)
  return { next: text.split(sought).join(replacement), replacements: places.length }
}

function placesOf(text: string, sought: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + sought.length))
    places.push(at)
  return places
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

function notFound(text: string, { path, old_text }: EditInput): Error {
  const loose = old_text
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
    .join(String.raw`\s+`)
  const near = loose === '' || loose.length > 2000 ? null : new RegExp(loose).exec(text)
  const hint = near ? ` Line ${lineAt(text, near.index)} differs from it only in white space.` : ''
  return fileProblem(
    'stale_edit',
    `"old_text" is not in ${shown(path)}: it was changed, or the text differs from it.${hint} Read it again.`,
  )
}
