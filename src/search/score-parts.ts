import type { Concept } from './find-concepts.js'
import type { Postings } from './term-index.js'

/** How soon repetitions of a word stop counting. */
const SATURATION = 1.2
/** A related word that so many tools have carries little information, and takes the longest to score. */
const MAX_RELATED_SHARE = 0.1
const FEW_TOOLS = 64

/** The tools of an index that are searched. */
export interface Visible {
  /** 1 where the tool of that ordinal may be found. */
  readonly marks: Uint8Array
  readonly tools: number
  /** Every tool of the index is visible: no separate counting is needed. */
  readonly isAll: boolean
}

export interface PartScores {
  /** By ordinal, relative to the best: 1 for the best, 0 for a tool without any of the words. */
  readonly scores: Float32Array
  /** The share of all the words, weighted by rarity, that the best has. */
  readonly covered: number
  /** The rarity of all words together: how specific this part is. */
  readonly ideal: number
}

/** Scores the tools for the whole query and for each of its parts, by words alone. */
export function scoreParts(
  parts: readonly (readonly Concept[])[],
  visible: Visible,
): { whole: PartScores; each: readonly PartScores[] } {
  const size = visible.marks.length
  const sums = parts.map(() => createSum(size))
  // A query of one part is that part.
  const whole = parts.length === 1 ? sums[0]! : createSum(size)
  const counted = new Float32Array(size)
  const touched = new Int32Array(size)
  for (const [concept, targets] of targetsOf(parts, { sums, whole })) {
    const { touches, rarest } = weighConcept(concept, { visible, counted, touched })
    const ideal = rarest > 0 ? rarest : concept.isKnown ? rarityOfNone(visible.tools) * concept.weight : 0
    for (const target of targets) {
      target.ideal += ideal
      const { scores } = target
      for (let at = 0; at < touches; at++) scores[touched[at]!]! += counted[touched[at]!]!
    }
    for (let at = 0; at < touches; at++) counted[touched[at]!] = 0
  }
  const each = sums.map(toPartScores)
  return { whole: parts.length === 1 ? each[0]! : toPartScores(whole), each }
}

interface Sum {
  scores: Float32Array
  ideal: number
}

const createSum = (size: number): Sum => ({ scores: new Float32Array(size), ideal: 0 })

/** Each concept once, with the sums that it counts for. */
function targetsOf(
  parts: readonly (readonly Concept[])[],
  { sums, whole }: { sums: readonly Sum[]; whole: Sum },
): Iterable<readonly [Concept, ReadonlySet<Sum>]> {
  const targets = new Map<string, readonly [Concept, Set<Sum>]>()
  parts.forEach((concepts, index) => {
    for (const concept of concepts) {
      const known = targets.get(concept.stem)
      if (known) known[1].add(sums[index]!)
      else targets.set(concept.stem, [concept, new Set([whole, sums[index]!])])
    }
  })
  return targets.values()
}

/** Writes each tool's value for one word to `counted`, and the ordinals of those tools to `touched`. */
function weighConcept(
  { alternatives, weight }: Concept,
  { visible, counted, touched }: { visible: Visible; counted: Float32Array; touched: Int32Array },
): { touches: number; rarest: number } {
  let touches = 0
  let rarest = 0
  for (const { places, share, kind } of alternatives) {
    const tools = countSeen(places, visible)
    if (tools === 0 || (kind === 'related' && isEverywhere(tools, visible))) continue
    const worth = rarity(tools, visible) * share * weight
    rarest = Math.max(rarest, worth)
    const { ordinals, weights, length } = places
    for (let at = 0; at < length; at++) {
      const ordinal = ordinals[at]!
      if (visible.marks[ordinal] === 0) continue
      const value = (worth * weights[at]! * (SATURATION + 1)) / (weights[at]! + SATURATION)
      // A tool that has both "send" and "post" does not count twice for "send".
      if (value <= counted[ordinal]!) continue
      if (counted[ordinal] === 0) touched[touches++] = ordinal
      counted[ordinal] = value
    }
  }
  return { touches, rarest }
}

function toPartScores({ scores, ideal }: Sum): PartScores {
  let best = 0
  for (let ordinal = 0; ordinal < scores.length; ordinal++)
    if (scores[ordinal]! > best) best = scores[ordinal]!
  if (best === 0) return { scores, covered: 0, ideal }
  for (let ordinal = 0; ordinal < scores.length; ordinal++) scores[ordinal]! /= best
  return { scores, covered: Math.min(1, best / ideal), ideal }
}

/** Whether a visible tool has the term. */
export function isSeen(places: Postings, visible: Visible): boolean {
  if (visible.isAll) return places.tools > 0
  for (let at = 0; at < places.length; at++)
    if (places.weights[at] !== 0 && visible.marks[places.ordinals[at]!] !== 0) return true
  return false
}

/** How many visible tools have the term. Hidden tools are not counted, so that nothing can be inferred about them. */
function countSeen(places: Postings, visible: Visible): number {
  if (visible.isAll) return places.tools
  let count = 0
  for (let at = 0; at < places.length; at++) {
    if (places.weights[at] !== 0 && visible.marks[places.ordinals[at]!] !== 0) count++
  }
  return count
}

const isEverywhere = (tools: number, visible: Visible): boolean =>
  tools > FEW_TOOLS && tools > MAX_RELATED_SHARE * visible.tools

/** Rare words weigh more. */
const rarity = (tools: number, visible: Visible): number =>
  Math.log(1 + (visible.tools - tools + 0.5) / (tools + 0.5))

/** The rarity of a word that no tool has. */
export const rarityOfNone = (tools: number): number => Math.log(1 + 2 * tools)

export function rarityOf(places: Postings, visible: Visible): number {
  const tools = countSeen(places, visible)
  return tools === 0 ? 0 : rarity(tools, visible)
}
