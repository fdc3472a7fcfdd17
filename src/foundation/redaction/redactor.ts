import { createTurns } from '../turns/create-turns.js'
import { partEnds, LONGEST_PART } from './cut-text.js'
import { exactSecrets, findExact, NO_EXACT, type ExactSecrets } from './exact-secrets.js'
import type { PiiClass } from './find-pii.js'
import { findInPart, SHORTEST_TEXT } from './find-secrets.js'
import type { LiveSecrets } from './live-secrets.js'
import { MASK } from './mask-fields.js'
import { isOnlyMask } from './mask-marks.js'
import { redactStream, type RedactingStream } from './redact-stream.js'
import { redactValue, type ValueRedaction } from './redact-value.js'
import { mergeSpans, type FoundSecret } from './secret-span.js'

/** Counts what was found, by rule; never what it was. */
export interface Tally {
  add(rule: string): void
}

export interface RedactorOptions {
  /** Look for what looks like a secret, not only for those that are known. */
  patterns: boolean
  pii?: readonly PiiClass[]
  live?: LiveSecrets
  /**
   * What stands in the place of a secret; `[redacted]` unless said otherwise. It must have the form `[redacted:…]`, with
   * small letters, digits, `_` and at most two colons, so that it is never taken for a secret itself.
   */
  replace?: (secret: string, rule: string) => string
}

/** The one engine that everything passes before it is stored, logged, previewed or exported. `also` are secrets of one call. */
export interface Redactor {
  /** The same string when nothing was found. */
  text(text: string, also?: readonly string[], tally?: Tally): string
  /** Deep, keys too. The same reference when nothing was found; never changes what it was given. */
  value<Value>(value: Value, also?: readonly string[], tally?: Tally): Value
  /**
   * Looks through a long text part by part, with turns for others in between. `text` and `value` then know what comes of
   * it, until what this resolves with is called.
   */
  prepare(text: string, also?: readonly string[]): Promise<() => void>
  /**
   * Gives the same as `text` of the whole, however the text is cut into pieces. Secrets that become known on the way are
   * asked for with each piece.
   */
  stream(also?: readonly string[] | (() => readonly string[]), tally?: Tally): RedactingStream
}

/** A long text that was looked through before it is asked for. */
interface PreparedText {
  readonly text: string
  readonly exact: ExactSecrets
  readonly redacted: string
  readonly rules: readonly string[]
}

/** A mark can make what is left beside it look like something new; after so many rounds the whole part is masked. */
const MOST_ROUNDS = 8

export function createRedactor({ patterns, pii, live, replace = () => MASK }: RedactorOptions): Redactor {
  const options = pii === undefined || pii.length === 0 ? undefined : { pii }
  const exactOf = createExactOf(live)
  const clean = createCleanTexts()
  const prepared = new Set<PreparedText>()

  function find(text: string, exact: ExactSecrets): readonly FoundSecret[] | undefined {
    const known = exact.forms.length === 0 ? undefined : findExact(text, exact)
    const likely = patterns && text.length >= SHORTEST_TEXT ? findInPart(text, options) : undefined
    if (known === undefined) return likely
    return mergeSpans([...known, ...(likely ?? [])]).filter(({ start, end }) => !isOnlyMask(text, start, end))
  }

  function redactPart(part: string, exact: ExactSecrets, tally: Tally | undefined): string {
    let text = part
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const found = find(text, exact)
      if (found === undefined || found.length === 0) return text
      text = putMasks(text, found, tally)
    }
    return MASK + (part.endsWith('\n') ? '\n' : '')
  }

  function putMasks(text: string, found: readonly FoundSecret[], tally: Tally | undefined): string {
    let clean = ''
    let last = 0
    for (const { start, end, rule } of found) {
      tally?.add(rule)
      clean += text.slice(last, start) + replace(text.slice(start, end), rule)
      last = end
    }
    return clean + text.slice(last)
  }

  function redactText(text: string, exact: ExactSecrets, tally: Tally | undefined): string {
    if (text.length > LONGEST_PART) return knownLong(text, exact, tally) ?? redactLong(text, exact, tally)
    if (clean.has(text, exact)) return text
    const redacted = redactPart(text, exact, tally)
    if (redacted === text) clean.add(text, exact)
    return redacted
  }

  function redactLong(text: string, exact: ExactSecrets, tally: Tally | undefined): string {
    const known = mergeSpans((exact.forms.length === 0 ? undefined : findExact(text, exact)) ?? [])
    let redacted = ''
    let from = 0
    for (const end of partEnds(text, known)) {
      redacted += redactPart(text.slice(from, end), exact, tally)
      from = end
    }
    return redacted === text ? text : redacted
  }

  function knownLong(text: string, exact: ExactSecrets, tally: Tally | undefined): string | undefined {
    for (const known of prepared) {
      if (known.exact !== exact || known.text !== text) continue
      for (const rule of known.rules) tally?.add(rule)
      return known.redacted
    }
    return undefined
  }

  async function prepare(text: string, exact: ExactSecrets): Promise<PreparedText> {
    const rules: string[] = []
    const turns = createTurns()
    const known = mergeSpans((exact.forms.length === 0 ? undefined : findExact(text, exact)) ?? [])
    const clean: string[] = []
    let from = 0
    for (const end of partEnds(text, known)) {
      clean.push(redactPart(text.slice(from, end), exact, { add: (rule) => rules.push(rule) }))
      from = end
      await turns.due()
    }
    const redacted = rules.length === 0 ? text : clean.join('')
    return { text, exact, redacted, rules }
  }

  // One for all values: redacting never waits, and this is asked in every call.
  const how: ValueRedaction & { exact: ExactSecrets; tally: Tally | undefined } = {
    exact: NO_EXACT,
    tally: undefined,
    text: (text) => redactText(text, how.exact, how.tally),
    isExact: (text) => how.exact.forms.includes(text),
    mask(text, rule) {
      how.tally?.add(rule)
      return replace(text, rule)
    },
    readsNames: patterns,
  }

  return {
    text: (text, also, tally) => redactText(text, exactOf(also), tally),
    value(value, also, tally) {
      how.exact = exactOf(also)
      how.tally = tally
      return redactValue(value, how)
    },
    async prepare(text, also) {
      if (text.length <= LONGEST_PART) return () => {}
      const known = await prepare(text, exactOf(also))
      prepared.add(known)
      return () => prepared.delete(known)
    },
    stream(also, tally) {
      const redact = (text: string, exact: ExactSecrets): string => redactText(text, exact, tally)
      if (typeof also === 'function') return redactStream(() => exactOf(also()), redact)
      const exact = exactOf(also)
      return redactStream(() => exact, redact)
    },
  }
}

/** The forms of a list are worked out once: the same list comes with every text of a call. */
function createExactOf(live: LiveSecrets | undefined): (also: readonly string[] | undefined) => ExactSecrets {
  const ofList = new WeakMap<readonly string[], { exact: ExactSecrets; length: number }>()
  const none: readonly string[] = []
  let lastLive = none
  let lastLiveExact = NO_EXACT
  let both: { own: ExactSecrets; live: ExactSecrets; exact: ExactSecrets } | undefined

  function prepared(list: readonly string[]): ExactSecrets {
    const known = ofList.get(list)
    if (known !== undefined && known.length === list.length) return known.exact
    const exact = exactSecrets(list)
    ofList.set(list, { exact, length: list.length })
    return exact
  }

  return (also) => {
    const list = live?.list ?? none
    if (list !== lastLive) [lastLive, lastLiveExact] = [list, exactSecrets(list)]
    if (also === undefined || also.length === 0) return lastLiveExact
    const own = prepared(also)
    if (lastLiveExact.forms.length === 0) return own
    if (both?.own !== own || both.live !== lastLiveExact)
      both = { own, live: lastLiveExact, exact: joined(own, lastLiveExact) }
    return both.exact
  }
}

function joined(own: ExactSecrets, live: ExactSecrets): ExactSecrets {
  return {
    forms: [...own.forms, ...live.forms],
    longest: Math.max(own.longest, live.longest),
    hasLineEnd: own.hasLineEnd || live.hasLineEnd,
  }
}

/** The last few texts in which nothing was found: the same result goes into a record, an event and a preview in turn. */
function createCleanTexts(): {
  has(text: string, exact: ExactSecrets): boolean
  add(text: string, exact: ExactSecrets): void
} {
  const texts: string[] = Array.from({ length: MOST_CLEAN }, () => '')
  let oldest = 0
  let lookedFor: ExactSecrets = NO_EXACT
  return {
    has: (text, exact) => exact === lookedFor && texts.includes(text),
    add(text, exact) {
      if (exact !== lookedFor) texts.fill('')
      lookedFor = exact
      texts[oldest] = text
      oldest = (oldest + 1) % MOST_CLEAN
    },
  }
}

const MOST_CLEAN = 4
