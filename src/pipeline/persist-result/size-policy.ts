import type { PersistenceStrategy } from '../../contract/unions.js'
import type { SizeLimits } from '../../results/previews/sizes/size-limits.js'
import type { ResultPolicy } from '../../surfaces/result-policy.js'
import type { CallRun } from '../call-run.js'
import type { Wish } from './persistence-wishes.js'

/** What a result may have of its output, from what the tool, the surface and the crib say. */
export interface SizePolicy extends SizeLimits {
  maxChars: number
  previewChars: number
  /** Where the output goes. */
  strategy: Exclude<PersistenceStrategy, 'never_persist' | 'redact'>
  /** Who wants that the log does not keep it. */
  notKept: Wish | undefined
  /** Who wants that nobody gets it. */
  redacted: Wish | undefined
}

/** The strictest limit of tool and surface; the crib's where neither says one. */
export function sizePolicyOf(run: CallRun): SizePolicy {
  const { output } = run.tool!.draft
  const ofSurface: ResultPolicy = run.surface.request.results ?? NOTHING_SAID
  const ofCrib = run.ports.results
  const maxLines = strictest(output.maxInlineLines, ofSurface.maxInlineLines) ?? ofCrib.maxInlineLines
  const maxTokens = strictest(output.maxInlineTokens, ofSurface.maxInlineTokens) ?? ofCrib.maxInlineTokens
  return {
    maxChars: strictest(output.maxInlineChars, ofSurface.maxInlineChars) ?? ofCrib.maxInlineChars,
    ...(maxLines !== undefined && { maxLines }),
    ...(maxTokens !== undefined && { maxTokens }),
    previewChars: ofSurface.previewChars ?? ofCrib.previewChars,
    ...strategiesOf(run),
  }
}

/** Whether bytes of this call's output may go anywhere, as far as that is known before it is there. */
export function mayKeepOutput(run: CallRun): boolean {
  const { strategy, notKept, redacted } = strategiesOf(run)
  return strategy !== 'drop_with_reason' && !notKept && !redacted
}

/** Whether a result of this size is kept as it is without anybody having to look at it. Asked in every call. */
export function isSurelyInline(run: CallRun, size: number): boolean {
  const { output } = run.tool!.draft
  const ofSurface = run.surface.request.results
  const ofCrib = run.ports.results
  return (
    ofSurface === undefined &&
    output.persistence === undefined &&
    ofCrib.persistence === 'preview_and_persist' &&
    size <= (output.maxInlineChars ?? ofCrib.maxInlineChars) &&
    size * MOST_TOKENS_PER_CHAR <= (output.maxInlineTokens ?? ofCrib.maxInlineTokens ?? Infinity) &&
    size < (output.maxInlineLines ?? ofCrib.maxInlineLines ?? Infinity)
  )
}

/** A token is at least a byte, and a UTF-16 unit at most three of them. */
const MOST_TOKENS_PER_CHAR = 3

const NOTHING_SAID: ResultPolicy = {}

function strictest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)
}

/** What the tool says comes first. But whatever one of them forbids is forbidden. */
function strategiesOf({
  tool,
  surface,
  ports,
  row,
}: CallRun): Pick<SizePolicy, 'strategy' | 'notKept' | 'redacted'> {
  const ofTool = tool!.draft.output.persistence
  const ofSurface = surface.request.results?.persistence
  const said = [ofTool, ofSurface ?? ports.results.persistence]
  const wishFor = (strategy: PersistenceStrategy): Wish | undefined => {
    if (ofTool === strategy) return { reason: 'declared_for_this_tool', by: tool!.toolId }
    if (ofSurface === strategy) return { reason: 'declared_for_this_surface', by: row.surfaceId }
    return said.includes(strategy) ? { reason: 'declared_for_all_results', by: 'toolcrib' } : undefined
  }
  return {
    strategy: said.includes('drop_with_reason')
      ? 'drop_with_reason'
      : (said.find(isPlacing) ?? 'preview_and_persist'),
    notKept: wishFor('never_persist'),
    redacted: wishFor('redact'),
  }
}

function isPlacing(
  strategy: PersistenceStrategy | undefined,
): strategy is 'inline' | 'preview_and_persist' | 'ref_only' {
  return strategy === 'inline' || strategy === 'preview_and_persist' || strategy === 'ref_only'
}
