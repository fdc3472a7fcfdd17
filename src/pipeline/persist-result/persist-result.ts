import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { PersistRun } from './persist-ports.js'
import { hasOwnResult, type CallState } from '../call-state.js'
import { hooksFor } from '../hooks/hooks-for.js'
import { persistenceRequirements, type PersistenceRequirements } from './persistence-requirements.js'
import { hasMedia, isSurelyInline } from './size-policy.js'
import { PROCEED, stop, type Step } from '../step.js'
import { toolError } from '../failures/tool-error.js'
import { shownOutput } from '../hooks/post-hooks.js'

/** Stores small results in the record; for larger ones a preview, and a ref to the whole. */
export function persistResult(call: CallState, run: PersistRun): Step | Promise<Step> {
  const { result } = call
  if (!result || !hasOwnResult(call)) return PROCEED
  if (run.ports.hooks.length > 0 && hooksFor(run, 'result_persistence').length > 0)
    return askHooks(call, run, result)
  return isPlain(call, run) ? PROCEED : persist(call, run, { result, requirements: {} })
}

function isPlain({ streamed, artifacts, resultSize, result }: CallState, run: PersistRun): boolean {
  if (artifacts !== undefined || run.tool!.draft.output.artifacts !== undefined) return false
  const hasOriginal = (run.original ?? run.native ?? run.nativeStream) !== undefined
  if (streamed !== undefined || hasOriginal || !isSurelyInline(run, resultSize)) return false
  return !hasMedia(result!, resultSize)
}

async function askHooks(call: CallState, run: PersistRun, result: ToolResult): Promise<Step> {
  const requirements = await persistenceRequirements(call, run, shownOutput(result))
  const { withheld, dropped, redacted, notKept } = requirements
  if (withheld !== undefined)
    return stop(toolError('result_redacted', { message: withheld }), { result: undefined })
  if (!dropped && !redacted && !notKept && isPlain(call, run)) return PROCEED
  return persist(call, run, { result, requirements })
}

/** Loaded when there is something to store: most programs never need it. */
async function persist(
  call: CallState,
  run: PersistRun,
  about: { result: ToolResult; requirements: PersistenceRequirements },
): Promise<Step> {
  const { storeResult } = await import('./store-result.js')
  return storeResult(call, run, about)
}
