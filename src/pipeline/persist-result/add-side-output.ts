import type { ContentBlock, ToolResult } from '../../contract/objects/tool-result.js'
import { exceeds } from '../../results/previews/sizes/exceeds.js'
import { blocksText, type StoreContext, type StoredOutput } from './store-output.js'

/** A stream is stored by reference; the tool's other output stays in the result if it is short. */
export async function addSideOutput(
  kept: StoredOutput,
  whole: ToolResult,
  context: StoreContext,
): Promise<StoredOutput> {
  const { call, policy, run } = context
  const count = call.streamed ? (call.blocksBeside ?? 0) : 0
  const blocks = count === 0 ? [] : await fitting((whole.content ?? []).slice(-count), context)
  const { structured_content: structured } = whole
  const hasStructured =
    call.streamed !== undefined &&
    structured !== undefined &&
    !(await exceeds(JSON.stringify(structured), policy))
  if (blocks.length === 0 && !hasStructured) return kept
  const { result } = kept
  const isForModel = policy.strategy !== 'ref_only' && !run.tool!.draft.output.toModel
  return {
    ...kept,
    result: {
      ...result,
      content: [...(result.content ?? []), ...blocks],
      ...(hasStructured && { structured_content: structured }),
      ...(isForModel && { model_facing_content: [...(result.model_facing_content ?? []), ...blocks] }),
    },
  }
}

async function fitting(blocks: ContentBlock[], { policy }: StoreContext): Promise<ContentBlock[]> {
  const text = blocksText(blocks)
  if (!(await exceeds(text, policy))) return blocks
  const chars = text.length.toLocaleString('en-US')
  return [
    { type: 'text', text: `[What the tool said beside it, ${chars} characters, is too long to be kept.]` },
  ]
}
