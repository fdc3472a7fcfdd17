import { forcedCut, lastFreeCut, LONGEST_PART } from './cut-text.js'
import { findExact, type ExactSecrets } from './exact-secrets.js'
import { mergeSpans, type FoundSecret } from './secret-span.js'

/** Text goes in as it arrives, clean text comes out as soon as it is certain. */
export interface RedactingStream {
  push(text: string): string
  end(): string
}

/** Holds back text that may still become part of a secret: an unfinished line, an open key, half of an exact secret. */
export function redactStream(
  exactNow: () => ExactSecrets,
  redact: (text: string, exact: ExactSecrets) => string,
): RedactingStream {
  let held = ''

  function takeReady(exact: ExactSecrets): string {
    const cut = readyCut(held, exact)
    if (cut <= 0) return ''
    const ready = held.slice(0, cut)
    held = held.slice(cut)
    return redact(ready, exact)
  }

  return {
    push(text) {
      held += text
      const exact = exactNow()
      let clean = ''
      for (let part = takeReady(exact); part !== ''; part = takeReady(exact)) clean += part
      return clean
    },
    end() {
      const rest = held
      held = ''
      return rest === '' ? '' : redact(rest, exactNow())
    },
  }
}

/** How much of the held text is certain, or 0. */
function readyCut(held: string, exact: ExactSecrets): number {
  // A secret of several lines may begin before the cut and end after it, or after the text received so far.
  const ahead = exact.hasLineEnd ? exact.longest : 0
  const known = ahead > 0 ? mergeSpans(findExact(held, exact) ?? []) : []
  for (let to = held.length - ahead; to > 0;) {
    const cut = lastFreeCut(held, 0, to)
    if (cut === -1) break
    const across = known.find(({ start, end }) => start < cut && end > cut)
    if (across === undefined) return cut
    to = across.start
  }
  return held.length > LONGEST_PART + exact.longest ? forced(held, exact) : 0
}

function forced(held: string, exact: ExactSecrets): number {
  if (lastFreeCut(held, 0, LONGEST_PART) !== -1) return 0
  const known: readonly FoundSecret[] = mergeSpans(findExact(held, exact) ?? [])
  const cut = forcedCut(held, 0, known)
  return cut > held.length - exact.longest ? 0 : cut
}
