import { dirname } from 'node:path'
import type { ExecuteContext } from '../../../../catalog/execute-context.js'
import type { ToolOutput } from '../../../../catalog/tool-output.js'
import type { ToolDraft } from '../../../../catalog/tool-draft.js'
import { fileProblem, shown } from '../access/file-problem.js'
import { changingTool, type FileEnvironment } from '../file-environment.js'
import { lineEndingOf, withLineEnding } from '../text/line-endings.js'
import {
  decodeText,
  encodeText,
  formOf,
  textEncodings,
  type TextEncoding,
  type TextForm,
} from '../text/text-encoding.js'
import { CHANGE_SCHEMA, changeOutput, readCurrent, type CurrentFile } from './change-text.js'
import { makeFolders, replaceContent } from './replace-content.js'

interface WriteInput {
  readonly path: string
  readonly content: string
  readonly encoding?: TextEncoding | 'base64'
  readonly expected_digest?: string
}

export function writeFileTool(files: FileEnvironment): ToolDraft {
  return changingTool(
    files,
    { isDestructive: false },
    {
      name: 'write_file',
      aliases: ['files.write'],
      title: 'Write a file',
      description:
        'Create a file or replace all of its content. Missing folders are made. Encoding, line endings and mode of an existing file are kept. Gives the difference.',
      searchHint: 'write, create, save or overwrite a local file',
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
            content: { type: 'string', description: 'All of its content.' },
            encoding: {
              enum: [...textEncodings, 'base64'],
              description: 'By default that of the existing file, or utf-8. base64: the content is bytes.',
            },
            expected_digest: {
              type: 'string',
              description: 'The digest that read_file gave: a file that was changed since is not replaced.',
            },
          },
          required: ['path', 'content'],
          additionalProperties: false,
        },
        pathFields: [{ field: 'path', access: 'write' }],
        examples: [{ path: 'notes.md', content: '# Notes\n' }],
      },
      output: { schema: CHANGE_SCHEMA },
      execute: (input: WriteInput, context: ExecuteContext) => writeFile(files, input, context),
    },
  )
}

async function writeFile(
  files: FileEnvironment,
  input: WriteInput,
  context: ExecuteContext,
): Promise<ToolOutput> {
  const place = files.roots.find(input.path, context)
  const expectedDigest = input.expected_digest
  const before = await readCurrent({ files, place, context, expectedDigest })
  const { bytes: after, encoding } = toBytes(input, before)
  if (!before || !before.bytes.equals(after)) {
    if (!before) makeFolders({ path: dirname(place.path), real: dirname(place.real) })
    replaceContent(place, after, before?.stats)
  }
  return changeOutput({ files, place, context, before, after, more: { encoding } })
}

function toBytes(
  { path, content, encoding }: WriteInput,
  before: CurrentFile | undefined,
): { bytes: Buffer; encoding: string } {
  if (encoding === 'base64') {
    if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(content))
      throw fileProblem('unsupported_text', 'The content is not Base64.')
    return { bytes: Buffer.from(content, 'base64'), encoding }
  }
  const form: TextForm = encoding
    ? formOf(before?.bytes ?? Buffer.alloc(0), encoding)
    : (before?.form ?? formOf(Buffer.alloc(0), 'utf-8'))
  const ending = before?.form && lineEndingOf(decodeText(before.bytes, before.form))
  return { bytes: encodeFor(path, withLineEnding(content, ending), form), encoding: form.encoding }
}

/** The bytes of a text in the encoding of its file. */
export function encodeFor(path: string, text: string, form: TextForm): Buffer {
  const bytes = encodeText(text, form)
  if (bytes) return bytes
  throw fileProblem(
    'unsupported_text',
    `${shown(path)} is ${form.encoding}, which lacks a character of the new text; write the whole file with encoding=utf-8.`,
  )
}
