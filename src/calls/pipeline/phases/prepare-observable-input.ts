import { isAbsolute, resolve } from 'node:path'
import type { PathField } from '../../../supply/catalog/tool-draft.js'
import type { CallRun } from '../call-run.js'
import { inputOf, type CallState } from '../call-state.js'
import { changeInput } from '../change-input.js'
import { proceed, type Step } from '../step.js'

/** A normalised copy for everyone who looks at the call; the model's words stay as they were. */
export function prepareObservableInput(call: CallState, run: CallRun): Step {
  const { pathFields } = run.tool!.draft.input
  if (pathFields.length === 0) return proceed()
  const before = inputOf(call, 'call')
  const after = resolvePaths(before, pathFields, run.surface.request.workspace ?? run.world.workspace)
  if (after === before) return proceed()
  return proceed(
    changeInput(call, run, {
      input: after,
      sourceType: 'runtime',
      sourceRef: 'toolcrib:paths',
      reason: 'Paths are made absolute before anyone judges them.',
      keepParsed: false,
    }),
  )
}

/** Rules and executor must mean the same file, wherever either of them runs. */
function resolvePaths(input: unknown, fields: readonly PathField[], workspace: string): unknown {
  if (typeof input !== 'object' || input === null) return input
  let changed: Record<string, unknown> | undefined
  for (const { field } of fields) {
    const given: unknown = Object.hasOwn(input, field) ? Reflect.get(input, field) : undefined
    const path = resolveOne(given, workspace)
    if (path === given) continue
    changed ??= { ...input }
    changed[field] = path
  }
  return changed ? Object.freeze(changed) : input
}

function resolveOne(given: unknown, workspace: string): unknown {
  if (Array.isArray(given)) {
    const paths = given.map((each) => resolveOne(each, workspace))
    return paths.every((path, index) => path === given[index]) ? given : Object.freeze(paths)
  }
  if (typeof given !== 'string' || given === '') return given
  const absolute = resolve(workspace, given)
  return isAbsolute(given) && absolute === given ? given : absolute
}
