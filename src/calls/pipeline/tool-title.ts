import type { CallRun } from './call-run.js'
import type { CallState } from './call-state.js'

/** What people call the tool; where there is none, the name that was asked for. */
export function toolTitle({ request }: CallState, run: CallRun): string {
  const { draft } = run.tool ?? {}
  // Not counted: it is told of the call, and said by nobody in it.
  return run.redactor.text(
    draft ? (draft.rendering.userFacingName ?? draft.title ?? draft.name) : request.name,
    run.secrets,
  )
}
