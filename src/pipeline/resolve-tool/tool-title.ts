import { cleanLine } from '../../platform/text/clean-text.js'
import type { ToolDraft } from '../../catalog/tool-draft.js'
import type { CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'

/** What people are told that the tool is; where there is none, the name that was asked for. */
export function toolTitle({ request }: CallState, run: CallRun): string {
  const { draft } = run.tool ?? {}
  // Not counted: it is told of the call, and said by nobody in it.
  return run.redactor.text(draft ? nameWithTitle(draft.name, draft) : request.name, run.secrets)
}

const MAX_TITLE_CHARS = 100

/** The tool's own name first: a title says what whoever wrote it likes, also the name of another tool. */
export function nameWithTitle(name: string, { rendering, title }: ToolDraft): string {
  const shown = cleanLine(rendering.userFacingName ?? title ?? '', MAX_TITLE_CHARS)
  return shown === '' || shown === name ? name : `${name} (${shown})`
}
