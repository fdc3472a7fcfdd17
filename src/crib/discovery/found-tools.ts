import type { ToolSearchResult } from '../../contract/objects/tool-search-result.js'
import type { DeferralWay } from '../../surfaces/deferral-request.js'
import type { WireTool } from '../../surfaces/to-wire-tool.js'
import type { SearchSaid } from './to-search-result.js'

/** A tool's definition, for those whose list does not show it. */
export type FoundTool = WireTool & { strict?: boolean }

/** What `tool.search` gives: the search's record, and what became of its matches. */
export type FoundTools = ToolSearchResult & {
  toolcrib: SearchSaid & {
    way: DeferralWay
    /** Ids of the matches that can be called now. */
    loaded: readonly string[]
    /** Ids of the matches that were on the list of tools before anybody searched. */
    up_front: readonly string[]
    /** Ids of the matches that are left for another search: all definitions together would be too long. */
    left_out: readonly string[]
    /** Definitions of what was loaded, where the list of tools does not show them. */
    tools?: readonly FoundTool[]
  }
}
