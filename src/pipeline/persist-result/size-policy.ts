import type { ContentBlock, ToolResult } from '../../contract/objects/tool-result.js'
import type { PersistenceStrategy } from '../../contract/unions.js'
import type { SizeLimits } from '../../results/previews/sizes/size-limits.js'
import type { ResultPolicy } from '../../surfaces/result-policy.js'
import type { SizedRun } from './persist-ports.js'
import type { Requirement } from './persistence-requirements.js'

/** The limits for a result's output, from tool, surface and crib. */
export interface SizePolicy extends SizeLimits {
  maxChars: number
  previewChars: number
  /** Where the output is stored. */
  strategy: Exclude<PersistenceStrategy, 'never_persist' | 'redact'>
  /** Set if the log must not store the output. */
  notKept: Requirement | undefined
  /** Set if the output must be redacted. */
  redacted: Requirement | undefined
}

/** The strictest limit of tool and surface; the crib's if neither sets one. */
export function sizePolicyOf(run: SizedRun): SizePolicy {
  const { output } = run.tool!.draft
  const ofSurface: ResultPolicy = run.surface.request.results ?? NO_POLICY
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

/** Whether bytes of this call's output may be stored, as far as that is known before the output is there. */
export function mayKeepOutput(run: SizedRun): boolean {
  const { strategy, notKept, redacted } = strategiesOf(run)
  return strategy !== 'drop_with_reason' && !notKept && !redacted
}

/** Whether a result of this size is certainly stored inline. Checked in every call. */
export function isSurelyInline(run: SizedRun, size: number): boolean {
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

/** Longer base64 does not belong in a log. */
const MAX_LOGGED_CHARS = 4096

/** Whether a result of this size holds bytes that the log should not store. */
export function hasMedia(
  { content = [], model_facing_content: forModel = content }: ToolResult,
  size: number,
): boolean {
  return (
    size > MAX_LOGGED_CHARS && (content.some(isHeavy) || (forModel !== content && forModel.some(isHeavy)))
  )
}

export function isHeavy({ data }: ContentBlock): boolean {
  return typeof data === 'string' && data.length > MAX_LOGGED_CHARS
}

const NO_POLICY: ResultPolicy = {}

function strictest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)
}

/** The tool's strategy comes first, but each of them can forbid storing. */
function strategiesOf({
  tool,
  surface,
  ports,
  row,
}: SizedRun): Pick<SizePolicy, 'strategy' | 'notKept' | 'redacted'> {
  const ofTool = tool!.draft.output.persistence
  const ofSurface = surface.request.results?.persistence
  const declared = [ofTool, ofSurface ?? ports.results.persistence]
  const requirementFor = (strategy: PersistenceStrategy): Requirement | undefined => {
    if (ofTool === strategy) return { reason: 'declared_for_this_tool', by: tool!.toolId }
    if (ofSurface === strategy) return { reason: 'declared_for_this_surface', by: row.surfaceId }
    return declared.includes(strategy) ? { reason: 'declared_for_all_results', by: 'toolcrib' } : undefined
  }
  return {
    strategy: declared.includes('drop_with_reason')
      ? 'drop_with_reason'
      : (declared.find(isPlacing) ?? 'preview_and_persist'),
    notKept: requirementFor('never_persist'),
    redacted: requirementFor('redact'),
  }
}

function isPlacing(
  strategy: PersistenceStrategy | undefined,
): strategy is 'inline' | 'preview_and_persist' | 'ref_only' {
  return strategy === 'inline' || strategy === 'preview_and_persist' || strategy === 'ref_only'
}
