import type { ContentBlock, ToolResult } from '../../contract/objects/tool-result.js'
import { sameJson } from '../../platform/json/same-json.js'

/** With what a decider adds for the model. A call that is judged again is often told the same again. */
export function addBlocks(
  known: readonly ContentBlock[] | undefined,
  added: readonly ContentBlock[],
): readonly ContentBlock[] {
  const before = known ?? []
  return [...before, ...added.filter((block) => !before.some((each) => sameJson(each, block)))]
}

/** The model reads it after everything that the tool said. What the tool itself gave stays as it was. */
export function withBlocks(result: ToolResult, blocks: readonly ContentBlock[]): ToolResult {
  return { ...result, model_facing_content: [...(result.model_facing_content ?? []), ...blocks] }
}
