import { closeSync, fsyncSync, lstatSync, rmSync, type Stats } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { ExecuteContext } from '../../../../catalog/execute-context.js'
import { toolOutput, type ToolOutput } from '../../../../catalog/tool-output.js'
import type { ToolDraft } from '../../../../catalog/tool-draft.js'
import { withoutUndefined } from '../../../../platform/json/without-undefined.js'
import { fileProblem, shown, systemProblem } from '../access/file-problem.js'
import type { FilePlace } from '../access/file-roots.js'
import { inFolder, openFolder, withFile } from '../access/open-checked.js'
import { digestOf, MAX_WHOLE_BYTES, readWhole } from '../access/read-bytes.js'
import { changingTool, type FileEnvironment } from '../file-environment.js'
import { checkBelow } from '../walk/walk-folder.js'

interface DeleteInput {
  readonly path: string
  readonly recursive?: boolean
}

export function deleteFileTool(files: FileEnvironment): ToolDraft {
  const isIrreversible = files.trash === undefined
  return changingTool(
    files,
    { isDestructive: true, isIrreversible },
    {
      name: 'delete_file',
      aliases: ['files.delete'],
      title: 'Delete a file',
      description: isIrreversible
        ? 'Delete a file, or a folder with everything in it, for good.'
        : 'Delete a file, or a folder with everything in it. It goes to a trash, and restore_file brings it back.',
      searchHint: 'delete, remove or unlink a local file or folder',
      capabilityRefs: ['local_file_write'],
      input: {
        modelSchema: {
          type: 'object',
          properties: {
            path: { type: 'string', minLength: 1, description: 'The file or folder.' },
            recursive: {
              type: 'boolean',
              default: false,
              description: 'Whether a folder goes with its content.',
            },
          },
          required: ['path'],
          additionalProperties: false,
        },
        pathFields: [{ field: 'path', access: 'write' }],
        examples: [{ path: 'old.txt' }],
      },
      output: { schema: OUTPUT_SCHEMA },
      execute: (input: DeleteInput, context: ExecuteContext) => deleteFile(files, input, context),
    },
  )
}

const OUTPUT_SCHEMA = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    kind: { enum: ['file', 'folder', 'link', 'other'] },
    before_digest: { type: 'string' },
    entries: { type: 'integer', description: 'How many files and folders were in it.' },
    trash_id: { type: 'string' },
    restore: {
      type: 'object',
      description: 'The call that restores it.',
      properties: { tool: { type: 'string' }, input: { type: 'object' } },
    },
  },
  required: ['path', 'kind'],
} as const

async function deleteFile(
  files: FileEnvironment,
  input: DeleteInput,
  context: ExecuteContext,
): Promise<ToolOutput> {
  const { roots, trash } = files
  const place = roots.findEntry(input.path, context)
  const stats = lstatSync(place.real, { throwIfNoEntry: false })
  if (!stats) throw systemProblem({ code: 'ENOENT' }, place.path)
  if (roots.holdsRoot(place.real))
    throw fileProblem('outside_roots', `${shown(place.path)} holds the working folder and is not deleted.`)
  const entries = stats.isDirectory()
    ? await checkBelow(place, ['write'], { protectedPaths: files.protectedPaths, context })
    : undefined
  if (entries !== undefined && entries > 0 && input.recursive !== true)
    throw fileProblem(
      'file_exists',
      `${shown(place.path)} is a folder with ${entries} entries; set recursive to delete it.`,
    )
  const digest = await digestBefore(place, stats, files)
  const item = withEntry(place, stats, (entry) => {
    if (trash) return trash.put(entry, place.real, new Date())
    rmSync(entry, { recursive: stats.isDirectory() })
    return undefined
  })
  files.seen.forget(context, place.real)
  const restore = item && { tool: 'restore_file', input: { path: place.path, trash_id: item.id } }
  const said = item
    ? `Deleted ${shown(place.path)}. Restore it with restore_file path=${JSON.stringify(place.path)} trash_id=${item.id}.`
    : `Deleted ${shown(place.path)} for good.`
  return toolOutput({
    content: [{ type: 'text', text: said }],
    structured: withoutUndefined({
      path: place.path,
      kind: kindOf(stats),
      before_digest: digest,
      entries,
      trash_id: item?.id,
      restore,
    }),
    summary: said,
  })
}

function kindOf(stats: Stats): string {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'folder'
  return stats.isSymbolicLink() ? 'link' : 'other'
}

async function digestBefore(
  place: FilePlace,
  stats: Stats,
  { protectedPaths }: FileEnvironment,
): Promise<string | undefined> {
  if (!stats.isFile() || stats.size > MAX_WHOLE_BYTES) return undefined
  return withFile(place, protectedPaths, async (file) => digestOf(await readWhole(file, place.path)))
}

/** Works on an entry of a folder that was opened and checked, if it is still the one that was looked at. */
export function withEntry<Result>(
  place: FilePlace,
  stats: Stats | undefined,
  work: (entry: string) => Result,
): Result {
  const folder = openFolder({ path: dirname(place.path), real: dirname(place.real) })
  const entry = join(inFolder(folder, dirname(place.real)), basename(place.real))
  try {
    const now = lstatSync(entry, { throwIfNoEntry: false })
    if (now?.ino !== stats?.ino || now?.dev !== stats?.dev)
      throw fileProblem('file_changed', `${shown(place.path)} was replaced meanwhile; look at it again.`)
    const result = work(entry)
    fsyncSync(folder.descriptor)
    return result
  } catch (error) {
    throw systemProblem(error, place.path)
  } finally {
    closeSync(folder.descriptor)
  }
}
