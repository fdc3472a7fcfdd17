import { lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ExecuteContext } from '../../../../catalog/execute-context.js'
import { toolOutput, type ToolOutput } from '../../../../catalog/tool-output.js'
import type { ToolDraft } from '../../../../catalog/tool-draft.js'
import { makeFolders } from '../change/replace-content.js'
import { fileProblem, shown } from '../access/file-problem.js'
import { changingTool, type FileEnvironment } from '../file-environment.js'
import { withEntry } from './delete-file-tool.js'
import type { Trash } from './trash.js'

interface RestoreInput {
  readonly path: string
  readonly trash_id?: string
}

export function restoreFileTool(files: FileEnvironment, trash: Trash): ToolDraft {
  return changingTool(
    files,
    { isDestructive: false },
    {
      name: 'restore_file',
      aliases: ['files.restore'],
      title: 'Restore a deleted file',
      description:
        'Bring back a file or folder that delete_file deleted, to where it was. Nothing is overwritten.',
      searchHint: 'restore, undelete or recover a deleted local file or folder',
      capabilityRefs: ['local_file_write'],
      input: {
        modelSchema: {
          type: 'object',
          properties: {
            path: { type: 'string', minLength: 1, description: 'Where it was.' },
            trash_id: { type: 'string', description: 'As delete_file gave it; the last one by default.' },
          },
          required: ['path'],
          additionalProperties: false,
        },
        pathFields: [{ field: 'path', access: 'write' }],
        examples: [{ path: 'old.txt' }],
      },
      output: {
        schema: {
          type: 'object',
          properties: {
            path: { type: 'string' },
            trash_id: { type: 'string' },
            deleted_at: { type: 'string' },
          },
          required: ['path', 'trash_id', 'deleted_at'],
        },
      },
      execute: (input: RestoreInput, context: ExecuteContext) => restoreFile(files, trash, input, context),
    },
  )
}

// Four parameters: the tool itself, and what every executor gets.
async function restoreFile(
  files: FileEnvironment,
  trash: Trash,
  input: RestoreInput,
  context: ExecuteContext,
): Promise<ToolOutput> {
  const place = files.roots.findEntry(input.path, context)
  const items = trash.find(place.real)
  const item = input.trash_id === undefined ? items[0] : items.find(({ id }) => id === input.trash_id)
  if (!item)
    throw fileProblem(
      'not_in_trash',
      items.length === 0
        ? `Nothing that was at ${shown(place.path)} is in the trash.`
        : `The trash has no such item; at ${shown(place.path)} were ${items.map(({ id }) => id).join(', ')}.`,
    )
  if (lstatSync(place.real, { throwIfNoEntry: false }))
    throw fileProblem('file_exists', `${shown(place.path)} exists already; move it away first.`)
  makeFolders({ path: dirname(place.path), real: dirname(place.real) })
  withEntry(place, undefined, (entry) => trash.take(item, entry))
  const said = `Restored ${shown(place.path)}.`
  return toolOutput({
    content: [{ type: 'text', text: said }],
    structured: { path: place.path, trash_id: item.id, deleted_at: item.deletedAt },
    summary: said,
  })
}
