import { cleanLine } from '../../platform/text/clean-text.js'
import type { ToolDraft } from '../../catalog/tool-draft.js'
import type { CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'

/** The tool's name for people; without a tool, the requested name. */
export function toolTitle({ request }: CallState, run: CallRun): string {
  const { draft } = run.tool ?? {}
  // Not counted as a redaction: the title is not part of the call's data.
  return run.redactor.text(draft ? nameWithTitle(draft.name, draft) : request.name, run.secrets)
}

const MAX_TITLE_CHARS = 100

/** The tool's own name comes first: a title may be any text, even the name of another tool. */
export function nameWithTitle(name: string, { rendering, title }: ToolDraft): string {
  const shown = cleanLine(rendering.userFacingName ?? title ?? '', MAX_TITLE_CHARS)
  return shown === '' || shown === name ? name : `${name} (${shown})`
}
