import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { CallRun } from '../call-run.js'
import { hasOwnResult, type CallState } from '../call-state.js'
import { hasMedia } from './has-media.js'
import { hooksFor } from '../hooks/hooks-for.js'
import { persistenceWishes, type PersistenceWishes } from './persistence-wishes.js'
import { isSurelyInline } from './size-policy.js'
import { proceed, stop, type Step } from '../step.js'
import { toolError } from '../failures/tool-error.js'
import { shownOutput } from '../hooks/post-hooks.js'

/** Keeps what is small enough in the record; of the rest a preview, and a ref to the whole. */
export function persistResult(call: CallState, run: CallRun): Step | Promise<Step> {
  const { result } = call
  if (!result || !hasOwnResult(call)) return proceed()
  if (run.ports.hooks.length > 0 && hooksFor(run, 'result_persistence').length > 0)
    return askHooks(call, run, result)
  return isPlain(call, run) ? proceed() : persist(call, run, { result, wishes: {} })
}

function isPlain({ streamed, artifacts, resultSize, result }: CallState, run: CallRun): boolean {
  if (artifacts !== undefined || run.tool!.draft.output.artifacts !== undefined) return false
  const hasOriginal = (run.original ?? run.native ?? run.nativeStream) !== undefined
  if (streamed !== undefined || hasOriginal || !isSurelyInline(run, resultSize)) return false
  return !hasMedia(result!, resultSize)
}

async function askHooks(call: CallState, run: CallRun, result: ToolResult): Promise<Step> {
  const wishes = await persistenceWishes(call, run, shownOutput(result))
  const { withheld, dropped, redacted, notKept } = wishes
  if (withheld !== undefined)
    return stop(toolError('result_redacted', { message: withheld }), { result: undefined })
  if (!dropped && !redacted && !notKept && isPlain(call, run)) return proceed()
  return persist(call, run, { result, wishes })
}

/** What previews and keeps is loaded when there is something to keep: most programs never need it. */
async function persist(
  call: CallState,
  run: CallRun,
  about: { result: ToolResult; wishes: PersistenceWishes },
): Promise<Step> {
  const { keepResult } = await import('./keep-result.js')
  return keepResult(call, run, about)
}
