import type { ToolResult } from '../../contract/objects/tool-result.js'
import { partsOf, payloadOf, sharedTextOf, type OutputText } from '../../results/payload-of.js'
import { exceeds } from '../../results/previews/sizes/exceeds.js'
import type { OutputBeside } from '../../results/with-preview.js'
import type { SizePolicy } from './size-policy.js'

/** The parts of an output: the measured text, the part to store elsewhere, and the part that stays in the result. */
export interface SplitOutput {
  /** All of the result's data and text. */
  measured: string
  gone: OutputText
  beside: OutputBeside | undefined
}

/**
 * A text that is in both data and content is stored once, with its lines. If data and content differ, the short one
 * stays and the other is stored as it is, so that it can be read like any other output. If neither is short, or nothing
 * may stay, they are stored together.
 */
export async function splitOutput(
  result: ToolResult,
  { policy, isRefOnly, mediaType }: { policy: SizePolicy; isRefOnly: boolean; mediaType: string | undefined },
): Promise<SplitOutput> {
  const shared = sharedTextOf(result, mediaType)
  if (shared && !isRefOnly && !(await exceeds(shared.rest, halfOf(policy)))) {
    const { text: gone, rest, blocks: content, withReplaced } = shared
    const measured = rest === '' ? gone.text : `${gone.text}\n${rest}`
    return { measured, gone, beside: { content, structuredWith: withReplaced } }
  }
  const parts = partsOf(result, mediaType)
  if (!parts) {
    const gone = payloadOf(result, mediaType)
    return { measured: gone.text, gone, beside: undefined }
  }
  const { structured, content } = parts
  const measured = `${structured.text}\n${content.text}`
  const isDataLonger = structured.text.length >= content.text.length
  const [longer, shorter] = isDataLonger ? [structured, content] : [content, structured]
  if (isRefOnly || (await exceeds(shorter.text, halfOf(policy))))
    return { measured, gone: parts.both(), beside: undefined }
  const beside = isDataLonger ? { content: parts.blocks } : { structured: result.structured_content }
  return { measured, gone: longer, beside }
}

/** The part that stays and the preview share one limit. */
export function halfOf(policy: SizePolicy): SizePolicy {
  const { maxChars, maxLines, maxTokens } = policy
  return {
    ...policy,
    maxChars: Math.floor(maxChars / 2),
    ...(maxLines !== undefined && { maxLines: Math.floor(maxLines / 2) }),
    ...(maxTokens !== undefined && { maxTokens: Math.floor(maxTokens / 2) }),
  }
}
