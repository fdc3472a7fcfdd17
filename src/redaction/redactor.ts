import { createTurns } from '../platform/async/create-turns.js'
import { partEnds, LONGEST_PART } from './cut-text.js'
import { exactSecrets, findExact, NO_EXACT, type ExactSecrets } from './exact-secrets.js'
import type { PiiClass } from '../platform/config/pii-classes.js'
import { createFoundBefore, type FoundBefore } from './found-before.js'
import { findInPart, SHORTEST_TEXT } from './find-secrets.js'
import type { LiveSecrets } from './live-secrets.js'
import { MASK } from './mask-fields.js'
import { withoutMasks } from './mask-marks.js'
import { redactStream, type RedactingStream } from './redact-stream.js'
import { redactValue, type ValueRedaction } from './redact-value.js'
import { mergeSpans, type FoundSecret } from './secret-span.js'

/** Counts what was found, by rule; never the secrets themselves. */
export interface Tally {
  add(rule: string): void
}

export interface RedactorOptions {
  /** Search for texts that look like a secret, not only for known secrets. */
  patterns: boolean
  pii?: readonly PiiClass[]
  live?: LiveSecrets
  /**
   * The mark that replaces a secret; `[redacted]` by default. It must have the form `[redacted:…]`, with small letters,
   * digits, `_` and at most two colons, so that it is never taken for a secret itself.
   */
  replace?: (secret: string, rule: string) => string
}

/**
 * The one redactor that all data passes before it is stored, logged, previewed or exported. `also` are secrets of one
 * call.
 */
export interface Redactor {
  /** The same string when nothing was found. */
  text(text: string, also?: readonly string[], tally?: Tally): string
  /** Deep, including keys. The same reference when nothing was found; never changes its argument. */
  value<Value>(value: Value, also?: readonly string[], tally?: Tally): Value
  /**
   * Scans a long text part by part, with turns for other work in between. `text` and `value` then use the result, until
   * the function that this resolves with is called.
   */
  prepare(text: string, also?: readonly string[]): Promise<() => void>
  /**
   * Gives the same result however the text is split into pieces, and the same as `text` of the whole, with one
   * exception: text that was passed on before something showed that it is secret cannot be taken back. Secrets that
   * become known meanwhile are read with each piece.
   */
  stream(also?: readonly string[] | (() => readonly string[]), tally?: Tally): RedactingStream
}

/** A long text that was scanned before it is redacted. */
interface PreparedText {
  readonly text: string
  readonly exact: ExactSecrets
  readonly redacted: string
  readonly rules: readonly string[]
  /** The secrets that were found in it. */
  readonly before: FoundBefore
}

/** A mark can make the text beside it look like a secret; after this many rounds the whole part is masked. */
const MOST_ROUNDS = 8

export function createRedactor({ patterns, pii, live, replace = () => MASK }: RedactorOptions): Redactor {
  const options = pii === undefined || pii.length === 0 ? undefined : { pii }
  const exactOf = createExactOf(live)
  const clean = createCleanTexts()
  const cleanNames = createCleanNames()
  const prepared = new Set<PreparedText>()

  function find(text: string, { exact, before, where }: Search): readonly FoundSecret[] | undefined {
    const known = exact.forms.length === 0 ? undefined : findExact(text, exact)
    const likely = patterns && text.length >= SHORTEST_TEXT ? findInPart(text, options) : undefined
    const again = where === 'after' ? before.find(text) : undefined
    if (known === undefined && likely === undefined && again === undefined) return undefined
    const repeats = likely && before.repeatsOf(text, likely, where)
    if (known === undefined && again === undefined && (repeats === undefined || repeats.length === 0))
      return likely
    const all = [...(known ?? []), ...(likely ?? []), ...(again ?? []), ...(repeats ?? [])]
    return withoutMasks(text, mergeSpans(all))
  }

  function redactPart(part: string, search: Search, tally: Tally | undefined): string {
    let text = part
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const found = find(text, search)
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

  function redactText(text: string, search: Search, tally: Tally | undefined): string {
    if (text.length < SHORTEST_TEXT && search.before.isEmpty) return text
    if (text.length > LONGEST_PART) return knownLong(text, search, tally) ?? redactLong(text, search, tally)
    const isOfText = search.where === 'anywhere' || search.before.isEmpty
    if (isOfText && clean.has(text, search.exact)) return text
    const redacted = redactPart(text, search, tally)
    if (isOfText && redacted === text) clean.add(text, search.exact)
    return redacted
  }

  function redactName(name: string, search: Search, tally: Tally | undefined): string {
    if (name.length < SHORTEST_TEXT || !search.before.isEmpty) return redactText(name, search, tally)
    if (cleanNames.has(name, search.exact)) return name
    const redacted = redactText(name, search, tally)
    if (redacted === name) cleanNames.add(name, search.exact)
    return redacted
  }

  function redactLong(text: string, search: Search, tally: Tally | undefined): string {
    const parts = partsOfLong(text, search, tally)
    for (;;) {
      const { done, value } = parts.next()
      if (done) return value
    }
  }

  /** Scans a long text part by part and yields after each: other work may run there. */
  function* partsOfLong(
    text: string,
    search: Search,
    tally: Tally | undefined,
  ): Generator<undefined, string> {
    const { exact, where } = search
    const known = mergeSpans((exact.forms.length === 0 ? undefined : findExact(text, exact)) ?? [])
    const parts: string[] = []
    let from = 0
    for (const end of partEnds(text, known)) {
      parts.push(redactPart(text.slice(from, end), search, tally))
      from = end
      yield
    }
    let redacted = ''
    for (const part of parts) {
      redacted += where === 'anywhere' ? hideAgain(part, search, tally) : part
      yield
    }
    return redacted === text ? text : redacted
  }

  /** Masks what another part, or another text of the same value, showed to be secret. */
  function hideAgain(text: string, search: Search, tally: Tally | undefined): string {
    const again = search.before.find(text)
    if (again === undefined) return text
    const hidden = withoutMasks(text, mergeSpans(again))
    return hidden.length === 0 ? text : redactText(putMasks(text, hidden, tally), search, tally)
  }

  function knownLong(text: string, search: Search, tally: Tally | undefined): string | undefined {
    for (const known of prepared) {
      if (known.exact !== search.exact || known.text !== text || search.where !== 'anywhere') continue
      for (const rule of known.rules) tally?.add(rule)
      known.before.copyTo(search.before)
      return known.redacted
    }
    return undefined
  }

  async function prepare(text: string, exact: ExactSecrets): Promise<PreparedText> {
    const rules: string[] = []
    const turns = createTurns()
    const search: Search = { exact, before: createFoundBefore(), where: 'anywhere' }
    const parts = partsOfLong(text, search, { add: (rule) => rules.push(rule) })
    for (;;) {
      const { done, value } = parts.next()
      if (done) return { text, redacted: value, rules, exact, before: search.before }
      await turns.due()
    }
  }

  // One for all texts and values: redacting is synchronous, and runs in every call.
  const search: Search = { exact: NO_EXACT, before: createFoundBefore(), where: 'anywhere' }

  function begin(also: readonly string[] | undefined): Search {
    search.exact = exactOf(also)
    // The secrets of one text do not apply to the next.
    if (!search.before.isEmpty) search.before = createFoundBefore()
    return search
  }

  const how: ValueRedaction & { tally: Tally | undefined } = {
    tally: undefined,
    text: (text) => redactText(text, search, how.tally),
    name: (name) => redactName(name, search, how.tally),
    isExact: (number) => search.exact.numbers.length > 0 && search.exact.numbers.includes(String(number)),
    mask(text, rule) {
      how.tally?.add(rule)
      search.before.add(text)
      return replace(text, rule)
    },
    readsNames: patterns,
  }
  const again: ValueRedaction = {
    ...how,
    text: (text) => hideAgain(text, search, how.tally),
    name: (name) => hideAgain(name, search, how.tally),
    isExact: () => false,
    readsNames: false,
  }

  /** Whether a value is a record without texts, whose names hold nothing: a number is secret only where it is known. */
  function holdsNothing(value: unknown): boolean {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    if (search.exact.numbers.length > 0) return false
    for (const name in value) {
      const member = (value as Record<string, unknown>)[name]
      if (typeof member !== 'number' && typeof member !== 'boolean' && member !== null) return false
      if (name.length >= SHORTEST_TEXT && !cleanNames.has(name, search.exact)) return false
    }
    return true
  }

  return {
    text: (text, also, tally) => redactText(text, begin(also), tally),
    value(value, also, tally) {
      begin(also)
      if (holdsNothing(value)) return value
      how.tally = tally
      const clean = redactValue(value, how)
      return search.before.isEmpty ? clean : redactValue(clean, again)
    },
    async prepare(text, also) {
      if (text.length <= LONGEST_PART) return () => {}
      const known = await prepare(text, exactOf(also))
      prepared.add(known)
      return () => prepared.delete(known)
    },
    stream(also, tally) {
      const before = createFoundBefore()
      const redact = (text: string, exact: ExactSecrets): string =>
        redactText(text, { exact, before, where: 'after' }, tally)
      if (typeof also === 'function') return redactStream(() => exactOf(also()), redact)
      const exact = exactOf(also)
      return redactStream(() => exact, redact)
    },
  }
}

/** The secrets to search for: known ones, and those that were found meanwhile. */
interface Search {
  exact: ExactSecrets
  before: FoundBefore
  where: 'after' | 'anywhere'
}

/** The forms of a list are computed once: the same list comes with every text of a call. */
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
    numbers: [...own.numbers, ...live.numbers],
    escaped: [...own.escaped, ...live.escaped],
    longest: Math.max(own.longest, live.longest),
    hasLineEnd: own.hasLineEnd || live.hasLineEnd,
  }
}

/**
 * The last few texts in which nothing was found: the same result goes into a record, an event and a preview in turn.
 */
function createCleanTexts(): {
  has(text: string, exact: ExactSecrets): boolean
  add(text: string, exact: ExactSecrets): void
} {
  const texts: string[] = Array.from({ length: MOST_CLEAN }, () => '')
  let oldest = 0
  let lookedFor: ExactSecrets = NO_EXACT
  return {
    has(text, exact) {
      if (exact !== lookedFor) return false
      for (const each of texts) if (isAlike(each, text) && each === text) return true
      return false
    },
    add(text, exact) {
      if (exact !== lookedFor) texts.fill('')
      lookedFor = exact
      texts[oldest] = text
      oldest = (oldest + 1) % MOST_CLEAN
    },
  }
}

const MOST_CLEAN = 4

/** Names of members in which nothing was found. */
function createCleanNames(): {
  has(name: string, exact: ExactSecrets): boolean
  add(name: string, exact: ExactSecrets): void
} {
  const names = new Set<string>()
  let lookedFor: ExactSecrets = NO_EXACT
  return {
    has: (name, exact) => exact === lookedFor && names.has(name),
    add(name, exact) {
      if (name.length > LONGEST_NAME) return
      if (exact !== lookedFor || names.size === MOST_NAMES) names.clear()
      lookedFor = exact
      names.add(name)
    },
  }
}

/** Longer ones are texts that somebody uses as names: they are not kept. */
const LONGEST_NAME = 64
const MOST_NAMES = 512

/** A quick look: comparing long texts that begin alike costs as much as searching them. */
function isAlike(one: string, other: string): boolean {
  const { length } = one
  if (length !== other.length) return false
  const middle = length >> 1
  return (
    one.charCodeAt(length - 1) === other.charCodeAt(length - 1) &&
    one.charCodeAt(length - 2) === other.charCodeAt(length - 2) &&
    one.charCodeAt(middle) === other.charCodeAt(middle)
  )
}
