import { bestOf } from './best-of.js'
import { findConcepts, type Concept, type Lexicon } from './find-concepts.js'
import type { ParsedQuery } from './parse-query.js'
import { isContentWord, stemOf } from './words/to-stems.js'
import { scoreParts, type PartScores, type Visible } from './score-parts.js'

/** What a tool is worth for a query, and what that rests on. */
export interface Ranked {
  ordinal: number
  /** Against the best of this query only. */
  value: number
  /** How near its meaning is to the part of the query that fits it best, from 0 to 1; 0 where meanings are not known. */
  nearness: number
}

/** How near the meanings of tools are to a text, by ordinal. */
export type Nearness = (text: string, among: Int32Array | undefined) => Float32Array | undefined

export interface Ranking {
  ranked: readonly Ranked[]
  concepts: readonly Concept[]
}

export interface Sight {
  lexicon: Lexicon
  visible: Visible
  /** One for each way of knowing meanings, the better ones last. */
  nearness: readonly Nearness[]
  keep: number
}

/** A step of a task counts for more than the task as a whole: each step wants a tool of its own. */
const PART_SHARE = 0.6
const WINNER_SHARE = 0.1
/** What nearness in meaning counts against the words, and what more where no tool has all the words. */
const MEANING_SHARE = 0.3
const MEANING_SHARE_FOR_MISSING = 0.4
/** In larger catalogs the meaning of a step is compared with the best tools of the whole only. */
const MAX_COMPARED = 2_048

/** The best tools by their words and, where known, by their meaning. */
export function rankTools(
  { parts, required }: Extract<ParsedQuery, { type: 'keyword' }>,
  { lexicon, visible, nearness, keep }: Sight,
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

/** Of the sentences of a task some say little ("I need your help."): they count for less than those that ask for most. */
function strengthsOf(steps: readonly PartScores[]): number[] {
  const most = Math.max(...steps.map(({ ideal }) => ideal))
  return steps.map(({ ideal }) => (most === 0 ? 1 : 0.5 + Math.min(0.5, ideal / most)))
}

/** The best of each step comes before the second best of another: many tools that do one thing must not hide the rest. */
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
  /** Words and meaning together. */
  values: Float32Array
  near: Float32Array | undefined
}

/** Both are taken against the best of their kind, since neither has a scale of its own. */
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

/** The later way of knowing, where it knows a tool at all. */
function preferring(later: Float32Array, earlier: Float32Array): Float32Array {
  return later.length < earlier.length
    ? earlier.map((near, ordinal) => later[ordinal] || near)
    : later.map((near, ordinal) => near || (earlier[ordinal] ?? 0))
}

/** Too small a difference between the best and the usual is noise, and is not to be spread out. */
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
    // Such words are looked for in names only: where none has it, it was not meant like that.
    if (!places && !isContentWord(word)) continue
    count++
    if (!places) return () => false
    for (let at = 0; at < places.length; at++) if (places.weights[at] !== 0) met[places.ordinals[at]!]!++
  }
  return count === 0 ? undefined : (ordinal) => met[ordinal] === count
}
