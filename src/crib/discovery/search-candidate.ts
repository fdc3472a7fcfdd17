import type { DeferredToolRef } from '../../contract/objects/deferred-tool-ref.js'
import { truncate } from '../../platform/text/truncate.js'
import type { SearchHit } from '../../search/tool-search.js'
import type { Visibility } from '../../surfaces/filters.js'
import { toDeferredRef } from '../../surfaces/to-deferred-ref.js'
import { wireDescription } from '../../surfaces/wire-description.js'

/** A match or near miss: its identity, how to load it, and the confidence of the search. */
export type SearchCandidate = Omit<DeferredToolRef, 'reason'> & {
  /** The name by which a model calls it. */
  call_name: string
  /** From 0 to 1. */
  score: number
  /** Which words of the query were found where. */
  reason: string
  /** The start of its description. */
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

const MAX_CHARS = 160

/** The start of a description: enough to choose by. */
function firstSentence(text: string): string {
  const line = text.trimStart().split('\n', 1)[0]!.trim()
  const end = /[.!?](?=\s|$)/.exec(line)
  const sentence = end ? line.slice(0, end.index + 1) : line
  return truncate(sentence, MAX_CHARS)
}
