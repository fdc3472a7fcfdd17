import type { ContentBlock, ToolResult } from '../../contract/objects/tool-result.js'
import { sameJson } from '../../platform/json/same-json.js'

/** Adds a decider's blocks for the model. A call that is judged again often gets the same blocks again. */
export function addBlocks(
  known: readonly ContentBlock[] | undefined,
  added: readonly ContentBlock[],
): readonly ContentBlock[] {
  const before = known ?? []
  return [...before, ...added.filter((block) => !before.some((each) => sameJson(each, block)))]
}

/** The model reads these blocks after the tool's own, which stay unchanged. */
export function withBlocks(result: ToolResult, blocks: readonly ContentBlock[]): ToolResult {
  return { ...result, model_facing_content: [...(result.model_facing_content ?? []), ...blocks] }
}
