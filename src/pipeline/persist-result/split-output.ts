import type { ToolResult } from '../../contract/objects/tool-result.js'
import { partsOf, payloadOf, sharedTextOf, type OutputText } from '../../results/payload-of.js'
import { exceeds } from '../../results/previews/sizes/exceeds.js'
import type { OutputBeside } from '../../results/with-preview.js'
import type { SizePolicy } from './size-policy.js'

/** What of an output is measured, what would be put elsewhere, and what of it would stay in the result. */
export interface SplitOutput {
  /** All that the result says as data and in words. */
  measured: string
  gone: OutputText
  beside: OutputBeside | undefined
}

/**
 * A text that stands in the data and in the words goes once, with its lines. Of data and words that differ, the short one stays and the other goes as it is, so that it is read like any other
 * output. Where neither is short, or nothing may stay, they go together.
 */
export async function splitOutput(
  result: ToolResult,
  { policy, isRefOnly, mediaType }: { policy: SizePolicy; isRefOnly: boolean; mediaType: string | undefined },
): Promise<SplitOutput> {
  const shared = sharedTextOf(result, mediaType)
  if (shared && !isRefOnly && !(await exceeds(shared.rest, halfOf(policy)))) {
    const { text: gone, rest, words: content, withInstead } = shared
    const measured = rest === '' ? gone.text : `${gone.text}\n${rest}`
    return { measured, gone, beside: { content, structuredWith: withInstead } }
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
  const beside = isDataLonger ? { content: parts.words } : { structured: result.structured_content }
  return { measured, gone: longer, beside }
}

/** What stays and the preview of what goes have one limit between them. */
export function halfOf(policy: SizePolicy): SizePolicy {
  const { maxChars, maxLines, maxTokens } = policy
  return {
    ...policy,
    maxChars: Math.floor(maxChars / 2),
    ...(maxLines !== undefined && { maxLines: Math.floor(maxLines / 2) }),
    ...(maxTokens !== undefined && { maxTokens: Math.floor(maxTokens / 2) }),
  }
}
