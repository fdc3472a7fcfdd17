import type { DeferredToolRef } from '../../contract/objects/deferred-tool-ref.js'
import type { SearchHit } from '../../search/tool-search.js'
import type { Visibility } from '../../surfaces/filters.js'
import { toDeferredRef } from '../../surfaces/to-deferred-ref.js'
import { firstSentence } from './first-sentence.js'
import { wireDescription } from '../../surfaces/wire-description.js'

/** A tool that was found, or nearly: who it is, how to get it, and how sure the search is. */
export type SearchCandidate = Omit<DeferredToolRef, 'reason'> & {
  /** The name by which a model calls it. */
  call_name: string
  /** From 0 to 1. */
  score: number
  /** What of the query was found where. */
  reason: string
  /** How its description begins. */
  description: string
}

export function toCandidate({ tool, score, reason }: SearchHit, visibility: Visibility): SearchCandidate {
  return {
    ...toDeferredRef(tool, visibility, { isFindable: true }),
    call_name: tool.providerName,
    score: Math.round(score * 1000) / 1000,
    reason,
    description: firstSentence(wireDescription(tool.draft)),
  }
}
