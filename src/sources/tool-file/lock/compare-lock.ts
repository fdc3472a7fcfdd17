import { majorOf, compareVersions, raised } from './compare-versions.js'
import type { ToolResult } from '../compile/compile-tool.js'
import type { CompiledTool, FileFix, FileProblem } from '../compiled.js'
import { problemAt, type Report } from '../read/report.js'
import type { Location } from '../read/source-text.js'
import { breakingChanges } from './breaking-changes.js'
import { LOCK_FILE, type LockedTool, type LockFile } from './lock-file.js'

export interface LockContext {
  readonly tools: readonly ToolResult[]
  /** The ids of all tool files, also of those with problems. */
  readonly ids: ReadonlySet<string>
  /** The lock file. */
  readonly report: Report
  /** Where a path of keys is in a tool file, or the nearest part of it. */
  locate(file: string, path: readonly string[]): Location
}

/** What must not have changed since the last published state. */
export function compareLock(lock: LockFile, context: LockContext): FileProblem[] {
  return Object.entries(lock.tools).flatMap(([id, locked]) => {
    if (!context.ids.has(id)) return checkGone(id, { lock, locked, context })
    const result = context.tools.find(({ toolId }) => toolId === id)
    return result?.tool ? checkChanges(locked, { result, tool: result.tool, context }) : []
  })
}

/** The id of a tool is fixed once a published agent refers to it. */
function checkGone(
  id: string,
  { lock, locked, context }: { lock: LockFile; locked: LockedTool; context: LockContext },
): FileProblem[] {
  const agent = Object.keys(lock.agents).find((name) => lock.agents[name]!.includes(id))
  if (agent === undefined) return []
  const renamed = context.tools.find(
    ({ contentDigest, toolId }) =>
      contentDigest === locked.digest && toolId !== undefined && !Object.hasOwn(lock.tools, toolId),
  )
  if (renamed?.idAt)
    return [
      problemAt('aml/renamed-tool', {
        file: renamed.file,
        at: renamed.idAt,
        message: `The published tool ${id} now has the id ${renamed.toolId}, and the agent ${agent} refers to ${id}; restore the id.`,
      }),
    ]
  const { source } = context.report
  const start = Math.max(0, source.text.indexOf(`\n    ${JSON.stringify(id)}: {`)) + 5
  return [
    problemAt('aml/removed-tool', {
      file: LOCK_FILE,
      at: source.locate({ start, end: start + id.length + 2 }),
      message: `The published tool ${id} is gone, and the agent ${agent} refers to it; restore it with status disabled.`,
    }),
  ]
}

interface Change {
  readonly result: ToolResult
  readonly tool: CompiledTool
  readonly context: LockContext
}

function checkChanges(locked: LockedTool, { result, tool, context }: Change): FileProblem[] {
  const at = result.versionAt!
  const order = compareVersions(tool.version, locked.version)
  if (order < 0)
    return [
      problemAt('aml/lowered-version', {
        file: tool.file,
        at,
        message: `The version must be above the published ${locked.version}.`,
        fix: setVersion(at, raised(locked.version, 'patch')),
      }),
    ]
  if (result.contentDigest === locked.digest) return []
  const breaking =
    majorOf(tool.version) > majorOf(locked.version) ? [] : checkSchemas(locked, { result, tool, context })
  if (breaking.length > 0 || order > 0) return breaking
  const next = raised(locked.version, 'patch')
  return [
    problemAt('aml/unchanged-version', {
      file: tool.file,
      at,
      message: `The tool changed since version ${locked.version} was published; raise the version, for example to ${next}.`,
      fix: setVersion(at, next),
    }),
  ]
}

function checkSchemas(locked: LockedTool, { result, tool, context }: Change): FileProblem[] {
  const next = raised(locked.version, 'major')
  return (['input', 'output'] as const).flatMap((side) =>
    breakingChanges(locked[side], tool[side], side).map(({ path, message }) =>
      problemAt(side === 'input' ? 'aml/breaking-input' : 'aml/breaking-output', {
        file: tool.file,
        at: context.locate(tool.file, ['interface', side, ...path]),
        message: `${message}, which breaks agents that use version ${locked.version}; raise the version to ${next}.`,
        fix: setVersion(result.versionAt!, next),
      }),
    ),
  )
}

function setVersion({ start, end }: Location, version: string): FileFix {
  return { title: `Raise the version to ${version}`, start, end, text: JSON.stringify(version) }
}
