import type { ContentBlock, ToolResult } from '../../contract/objects/tool-result.js'
import { exceeds } from '../../results/previews/sizes/exceeds.js'
import type { KeepContext, KeptOutput } from './keep-output.js'

/** A stream is kept by reference; what its tool said beside it stands in the result, as far as that is short. */
export async function keepBeside(
  kept: KeptOutput,
  whole: ToolResult,
  place: KeepContext,
): Promise<KeptOutput> {
  const { call, policy, run } = place
  const count = call.streamed ? (call.blocksBeside ?? 0) : 0
  const blocks = count === 0 ? [] : await fitting((whole.content ?? []).slice(-count), place)
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

async function fitting(blocks: ContentBlock[], { policy }: KeepContext): Promise<ContentBlock[]> {
  const said = blocks.map((block) => block.text ?? JSON.stringify(block)).join('\n')
  if (!(await exceeds(said, policy))) return blocks
  const chars = said.length.toLocaleString('en-US')
  return [
    { type: 'text', text: `[What the tool said beside it, ${chars} characters, is too long to be kept.]` },
  ]
}
