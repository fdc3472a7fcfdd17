import { findConcepts, type Concept, type Lexicon } from './find-concepts.js'
import type { ParsedQuery } from './parse-query.js'
import { isContentWord, stemOf } from './words/to-stems.js'
import { scoreParts, type PartScores, type Visible } from './score-parts.js'

/** The value of a tool for a query, and its evidence. */
export interface Ranked {
  ordinal: number
  /** Relative to the best of this query. */
  value: number
  /** How near its meaning is to the best matching part of the query, from 0 to 1; 0 where meanings are unknown. */
  nearness: number
}

/** How near the meanings of tools are to a text, by ordinal. */
export type Nearness = (text: string, among: Int32Array | undefined) => Float32Array | undefined

export interface Ranking {
  ranked: readonly Ranked[]
  concepts: readonly Concept[]
}

export interface RankingContext {
  lexicon: Lexicon
  visible: Visible
  /** One per method of comparing meanings, the better ones last. */
  nearness: readonly Nearness[]
  keep: number
}

/** A step of a task counts more than the task as a whole: each step needs its own tool. */
const PART_SHARE = 0.6
const WINNER_SHARE = 0.1
/** The weight of meaning relative to words, and the additional weight where no tool has all the words. */
const MEANING_SHARE = 0.3
const MEANING_SHARE_FOR_MISSING = 0.4
/** In larger catalogs the meaning of a step is compared with the best tools of the whole only. */
const MAX_COMPARED = 2_048

/** The best tools by their words and, where known, by their meaning. */
export function rankTools(
  { parts, required }: Extract<ParsedQuery, { type: 'keyword' }>,
  { lexicon, visible, nearness, keep }: RankingContext,
): Ranking {
  const conceptsOf = parts.map((part) => findConcepts(part, lexicon))
  const byWords = scoreParts(conceptsOf, visible)
  const text = parts.map((part) => part.text).join(' ')
  const whole = withMeaning(byWords.whole, { text, visible, nearness, among: undefined })
  const isTooMany = visible.tools > MAX_COMPARED
  const among = parts.length > 1 && isTooMany ? bestOf(whole.values, MAX_COMPARED) : undefined
  const steps =
    parts.length === 1
      ? [whole]
      : byWords.each.map((scores, index) =>
          withMeaning(scores, { text: parts[index]!.text, visible, nearness, among }),
        )
  const strengths = strengthsOf(steps)
  const isWanted = requirementOf(required, lexicon, visible)

  const values = new Float32Array(visible.marks.length)
  const fitting = new Uint8Array(visible.marks.length)
  for (let ordinal = 0; ordinal < values.length; ordinal++) {
    if (visible.marks[ordinal] === 0 || (isWanted && !isWanted(ordinal))) continue
    let best = 0
    for (let index = 0; index < steps.length; index++) {
      const value = steps[index]!.values[ordinal]! * strengths[index]!
      if (value <= best) continue
      best = value
      fitting[ordinal] = index
    }
    values[ordinal] =
      steps.length === 1 ? best : PART_SHARE * best + (1 - PART_SHARE) * whole.values[ordinal]!
  }
  if (steps.length > 1) favourWinners(steps, { values, visible, strengths })
  const ranked = [...bestOf(values, keep)].map((ordinal): Ranked => {
    const { near } = steps[fitting[ordinal]!]!
    return { ordinal, value: values[ordinal]!, nearness: Math.max(0, near?.[ordinal] ?? 0) }
  })
  const concepts = [...new Map(conceptsOf.flat().map((concept) => [concept.stem, concept])).values()]
  return { ranked, concepts }
}

/**
 * Some sentences of a task say little ("I need your help."): they count less than those with the most specific words.
 */
function strengthsOf(steps: readonly PartScores[]): number[] {
  const most = Math.max(...steps.map(({ ideal }) => ideal))
  return steps.map(({ ideal }) => (most === 0 ? 1 : 0.5 + Math.min(0.5, ideal / most)))
}

/**
 * The best tool of each step comes before the second best of another: many tools for one step must not hide the rest.
 */
function favourWinners(
  steps: readonly Weighed[],
  { values, visible, strengths }: { values: Float32Array; visible: Visible; strengths: readonly number[] },
): void {
  for (const [index, step] of steps.entries()) {
    let winner = -1
    for (let ordinal = 0; ordinal < values.length; ordinal++) {
      if (visible.marks[ordinal] === 0 || values[ordinal] === 0) continue
      if (winner === -1 || step.values[ordinal]! > step.values[winner]!) winner = ordinal
    }
    if (winner !== -1) values[winner]! += WINNER_SHARE * strengths[index]! * step.values[winner]!
  }
}

interface Weighed extends PartScores {
  /** Words and meaning combined. */
  values: Float32Array
  near: Float32Array | undefined
}

/** Both are scaled to the best of their kind, since neither has an absolute scale. */
function withMeaning(
  { scores, covered, ideal }: PartScores,
  {
    text,
    visible,
    nearness,
    among,
  }: { text: string; visible: Visible; nearness: readonly Nearness[]; among: Int32Array | undefined },
): Weighed {
  const share = MEANING_SHARE + MEANING_SHARE_FOR_MISSING * (1 - covered)
  let values = scores
  let near: Float32Array | undefined
  for (const nearnessTo of nearness) {
    const found = nearnessTo(text, among)
    if (!found) continue
    near = near ? preferring(found, near) : found
    if (values === scores) values = scores.slice()
    addNearness(values, found, { visible, share })
  }
  return { scores, covered, ideal, values, near }
}

/** The later method, where it knows the tool. */
function preferring(later: Float32Array, earlier: Float32Array): Float32Array {
  return later.length < earlier.length
    ? earlier.map((near, ordinal) => later[ordinal] || near)
    : later.map((near, ordinal) => near || (earlier[ordinal] ?? 0))
}

/** A smaller difference between the best and the average is noise, and is not amplified. */
const MIN_SPREAD = 0.15

function addNearness(
  values: Float32Array,
  near: Float32Array,
  { visible, share }: { visible: Visible; share: number },
): void {
  let sum = 0
  let count = 0
  let best = 0
  for (let ordinal = 0; ordinal < near.length; ordinal++) {
    if (visible.marks[ordinal] === 0 || near[ordinal] === 0) continue
    sum += near[ordinal]!
    count++
    if (near[ordinal]! > best) best = near[ordinal]!
  }
  if (count === 0) return
  const usual = sum / count
  const scale = share / Math.max(MIN_SPREAD, best - usual)
  for (let ordinal = 0; ordinal < near.length; ordinal++) {
    if (visible.marks[ordinal] !== 0 && near[ordinal]! > usual)
      values[ordinal]! += (near[ordinal]! - usual) * scale
  }
}

/** Tools that have all required words; absent where none is required. */
function requirementOf(
  required: readonly string[],
  { placesOf }: Lexicon,
  { marks }: Visible,
): ((ordinal: number) => boolean) | undefined {
  const met = new Uint16Array(marks.length)
  let count = 0
  for (const word of required) {
    const places = placesOf(stemOf(word))
    // Function words are indexed for names only: if no name has it, it is not a requirement.
    if (!places && !isContentWord(word)) continue
    count++
    if (!places) return () => false
    for (let at = 0; at < places.length; at++) if (places.weights[at] !== 0) met[places.ordinals[at]!]!++
  }
  return count === 0 ? undefined : (ordinal) => met[ordinal] === count
}

/** The ordinals of the largest values above 0, largest first; ties by ordinal. */
function bestOf(values: Float32Array, count: number): Int32Array {
  // A heap with the worst of the kept values first: nearly every value is rejected after one comparison.
  const heap = new Int32Array(Math.min(count, values.length))
  let size = 0
  const isWorse = (a: number, b: number): boolean =>
    values[a]! < values[b]! || (values[a] === values[b] && a > b)

  function sink(from: number): void {
    const ordinal = heap[from]!
    let at = from
    for (;;) {
      let child = 2 * at + 1
      if (child >= size) break
      if (child + 1 < size && isWorse(heap[child + 1]!, heap[child]!)) child++
      if (!isWorse(heap[child]!, ordinal)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = ordinal
  }

  let bar = 0
  for (let ordinal = 0; ordinal < values.length; ordinal++) {
    if (values[ordinal]! <= bar) continue
    if (size < heap.length) {
      heap[size++] = ordinal
      if (size < heap.length) continue
      for (let at = (size >> 1) - 1; at >= 0; at--) sink(at)
    } else {
      heap[0] = ordinal
      sink(0)
    }
    bar = values[heap[0]!]!
  }
  return heap.slice(0, size).sort((a, b) => (isWorse(a, b) ? 1 : -1))
}
