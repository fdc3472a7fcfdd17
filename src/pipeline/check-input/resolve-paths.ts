import { isAbsolute, resolve } from 'node:path'
import { isKeptRef } from '../../contract/kept-ref.js'
import type { PathField } from '../../catalog/tool-draft.js'
import type { CheckRun } from './check-ports.js'

/** The input with absolute paths: rules and executor must mean the same file, wherever either of them runs. */
export function resolvePaths(run: CheckRun, input: unknown): unknown {
  const { pathFields } = run.tool!.draft.input
  if (pathFields.length === 0) return input
  return resolveFields(input, pathFields, run.surface.request.workspace ?? run.ports.workspace)
}

function resolveFields(input: unknown, fields: readonly PathField[], workspace: string): unknown {
  if (typeof input !== 'object' || input === null) return input
  let changed: Record<string, unknown> | undefined
  for (const { field } of fields) {
    const given: unknown = Object.hasOwn(input, field) ? Reflect.get(input, field) : undefined
    const path = resolveOne(given, workspace)
    if (path === given) continue
    changed ??= { ...input }
    changed[field] = path
  }
  return changed ?? input
}

function resolveOne(given: unknown, workspace: string): unknown {
  if (Array.isArray(given)) {
    const paths = given.map((each) => resolveOne(each, workspace))
    return paths.every((path, index) => path === given[index]) ? given : paths
  }
  if (typeof given !== 'string' || given === '' || isKeptRef(given)) return given
  const absolute = resolve(workspace, given)
  return isAbsolute(given) && absolute === given ? given : absolute
}
