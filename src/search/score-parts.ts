import type { Concept } from './find-concepts.js'
import type { Postings } from './term-index.js'

/** How soon more of the same word stops counting. */
const SATURATION = 1.2
/** Another word for the same that so many tools have says next to nothing, and takes the longest to look through. */
const MAX_RELATED_SHARE = 0.1
const FEW_TOOLS = 64

/** Which tools of an index are looked at. */
export interface Visible {
  /** 1 where the tool of that ordinal may be found. */
  readonly marks: Uint8Array
  readonly tools: number
  /** Every tool of the index: nothing has to be counted apart. */
  readonly isAll: boolean
}

export interface PartScores {
  /** By ordinal, against the best: 1 for the best, 0 for what has none of the words. */
  readonly scores: Float32Array
  /** How much of all the words, weighed by rarity, the best has. */
  readonly covered: number
  /** How rare all the words are together: how much this part asks for. */
  readonly ideal: number
}

/** What the tools are worth for all of a query and for each of its parts, by their words alone. */
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

/** Notes in `counted` what each tool is worth for one word, and in `touched` which tools those are. */
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
      // A tool that says "send" and "post" is not worth twice as much to who wants to send.
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

/** Whether the term stands in a tool that may be found. */
export function isSeen(places: Postings, visible: Visible): boolean {
  if (visible.isAll) return places.tools > 0
  for (let at = 0; at < places.length; at++)
    if (places.weights[at] !== 0 && visible.marks[places.ordinals[at]!] !== 0) return true
  return false
}

/** In how many tools a term stands. Only what may be found is counted, so that nothing can be learned of the rest. */
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

/** Rare words say more. */
const rarity = (tools: number, visible: Visible): number =>
  Math.log(1 + (visible.tools - tools + 0.5) / (tools + 0.5))

/** What a word that no tool has would be worth. */
export const rarityOfNone = (tools: number): number => Math.log(1 + 2 * tools)

export function rarityOf(places: Postings, visible: Visible): number {
  const tools = countSeen(places, visible)
  return tools === 0 ? 0 : rarity(tools, visible)
}
