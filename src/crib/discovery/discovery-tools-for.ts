import type { ToolDraft } from '../../catalog/tool-draft.js'
import type { DeferralRequest } from '../../surfaces/deferral-request.js'
import { callTool } from './call-tool.js'
import { searchTool } from './search-tool.js'

/** What leads to tools that are kept out of the prompt in this way. */
export function discoveryToolsFor({ way }: DeferralRequest): readonly ToolDraft[] {
  return way === 'pair' ? [searchTool, callTool] : [searchTool]
}
