import { closeSync, fsyncSync, linkSync, lstatSync, renameSync, rmSync, type Stats } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { ExecuteContext } from '../../../../catalog/execute-context.js'
import { toolOutput, type ToolOutput } from '../../../../catalog/tool-output.js'
import type { ToolDraft } from '../../../../catalog/tool-draft.js'
import { isWithin } from '../../../../policy/protected-paths.js'
import { fileProblem, shown, systemProblem } from '../access/file-problem.js'
import type { FilePlace } from '../access/file-roots.js'
import { inFolder, openFolder } from '../access/open-checked.js'
import { changingTool, type FileEnvironment } from '../file-environment.js'
import { checkBelow } from '../walk/walk-folder.js'
import { makeFolders } from './replace-content.js'

interface MoveInput {
  readonly from: string
  readonly to: string
}

export function moveFileTool(files: FileEnvironment): ToolDraft {
  return changingTool(
    files,
    { isDestructive: false },
    {
      name: 'move_file',
      aliases: ['files.move'],
      title: 'Move a file',
      description: 'Move or rename a file or folder. Nothing is overwritten. Missing folders are made.',
      searchHint: 'move or rename a local file or folder',
      capabilityRefs: ['local_file_write'],
      input: {
        modelSchema: {
          type: 'object',
          properties: {
            from: { type: 'string', minLength: 1, description: 'The file or folder.' },
            to: { type: 'string', minLength: 1, description: 'Its new path, with its new name.' },
          },
          required: ['from', 'to'],
          additionalProperties: false,
        },
        // Read as well: under another name the content could be read against a rule.
        pathFields: [
          { field: 'from', access: 'read' },
          { field: 'from', access: 'write' },
          { field: 'to', access: 'write' },
        ],
        examples: [{ from: 'notes.md', to: 'docs/notes.md' }],
      },
      output: {
        schema: {
          type: 'object',
          properties: {
            from: { type: 'string' },
            to: { type: 'string' },
            kind: { enum: ['file', 'folder', 'link'] },
          },
          required: ['from', 'to', 'kind'],
        },
      },
      execute: (input: MoveInput, context: ExecuteContext) => moveFile(files, input, context),
    },
  )
}

async function moveFile(
  files: FileEnvironment,
  input: MoveInput,
  context: ExecuteContext,
): Promise<ToolOutput> {
  const { roots } = files
  const from = roots.findEntry(input.from, context)
  const to = roots.findEntry(input.to, context)
  if (!context.mayTouch(from.real, 'read', from.real))
    throw fileProblem('denied_below', `The rules do not let this call read ${shown(from.path)}.`)
  const stats = lstatSync(from.real, { throwIfNoEntry: false })
  if (!stats) throw systemProblem({ code: 'ENOENT' }, from.path)
  if (roots.holdsRoot(from.real))
    throw fileProblem('outside_roots', `${shown(from.path)} holds the working folder and stays where it is.`)
  if (isWithin(to.real, from.real))
    throw fileProblem('file_exists', `${shown(from.path)} cannot be moved into itself.`)
  // Under another name, a private file would be shown.
  const isShownThen = (path: string): boolean => {
    const next = [to.path, to.real].map((goal) => join(goal, relative(from.path, path)))
    return files.isPrivate(path) && !next.some((each) => files.isPrivate(each))
  }
  if (isShownThen(from.path))
    throw fileProblem(
      'not_permitted',
      `${shown(from.path)} is private, and ${shown(to.path)} would not be; choose a name that is private too.`,
    )
  if (stats.isDirectory()) {
    const mayTouch: ExecuteContext['mayTouch'] = (path, access, real) =>
      context.mayTouch(path, access, real) && !isShownThen(path)
    await checkBelow(from, ['read', 'write'], {
      protectedPaths: files.protectedPaths,
      context: { signal: context.signal, mayTouch },
    })
  }
  makeFolders({ path: dirname(to.path), real: dirname(to.real) })
  moveEntry(from, to, stats)
  files.seen.forget(context, from.real)
  const kind = stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'file'
  const said = `Moved ${shown(from.path)} to ${shown(to.path)}.`
  return toolOutput({
    content: [{ type: 'text', text: said }],
    structured: { from: from.path, to: to.path, kind },
    summary: said,
  })
}

function moveEntry(from: FilePlace, to: FilePlace, stats: Stats): void {
  const source = openFolder({ path: dirname(from.path), real: dirname(from.real) })
  const goal = openFolder({ path: dirname(to.path), real: dirname(to.real) })
  const old = join(inFolder(source, dirname(from.real)), basename(from.real))
  const next = join(inFolder(goal, dirname(to.real)), basename(to.real))
  try {
    const now = lstatSync(old)
    if (now.ino !== stats.ino || now.dev !== stats.dev)
      throw fileProblem('file_changed', `${shown(from.path)} was replaced meanwhile; look at it again.`)
    if (stats.isFile()) moveNew(old, next)
    else {
      if (lstatSync(next, { throwIfNoEntry: false })) throw Object.assign(new Error(), { code: 'EEXIST' })
      renameSync(old, next)
    }
    fsyncSync(goal.descriptor)
    fsyncSync(source.descriptor)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EXDEV')
      throw fileProblem(
        'system_error',
        `${shown(to.path)} is on another file system; copy the file and delete the old one.`,
      )
    throw systemProblem(error, code === 'ENOENT' ? from.path : to.path)
  } finally {
    closeSync(source.descriptor)
    closeSync(goal.descriptor)
  }
}

/** A second name, then the first goes: a file that appears at the new name meanwhile is not overwritten. */
function moveNew(old: string, next: string): void {
  linkSync(old, next)
  rmSync(old)
}
