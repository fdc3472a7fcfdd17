import type { ToolSearchResult } from '../../contract/objects/tool-search-result.js'
import type { DeferralWay } from '../../surfaces/deferral-request.js'
import type { WireTool } from '../../surfaces/to-wire-tool.js'
import type { SearchSaid } from './to-search-result.js'

/** A tool's definition, for clients whose list does not show it. */
export type FoundTool = WireTool & { strict?: boolean }

/** The result of `tool.search`: the search record, and what happened to its matches. */
export type FoundTools = ToolSearchResult & {
  toolcrib: SearchSaid & {
    way: DeferralWay
    /** Ids of the matches that can be called now. */
    loaded: readonly string[]
    /** Ids of the matches that were on the list of tools before the search. */
    up_front: readonly string[]
    /** Ids of the matches that are left for another search, because all definitions together would be too long. */
    left_out: readonly string[]
    /** Definitions of the loaded tools, if the list of tools does not show them. */
    tools?: readonly FoundTool[]
  }
}
