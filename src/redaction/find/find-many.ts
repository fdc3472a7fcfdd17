import { LONGEST_PART } from '../cut-text.js'
import { bytes, copyToBytes } from './text-bytes.js'

/** Texts that are searched for together. */
export interface Many {
  readonly forms: readonly string[]
  /** By four characters: the forms that have them at one of their first four offsets. */
  readonly byFour: ReadonlyMap<number, readonly FoundAt[]>
}

interface FoundAt {
  index: number
  shift: number
}

/**
 * None may be shorter: only every fourth offset of a text is checked, and four characters from there must be inside the
 * form.
 */
export const SHORTEST_OF_MANY = 7

/** Up to this number, each text is searched for separately: that scans memory many bytes at a time. */
const FEW = 4

export function createMany(forms: readonly string[]): Many {
  const byFour = new Map<number, FoundAt[]>()
  if (forms.length > FEW)
    for (const [index, form] of forms.entries())
      for (let shift = 0; shift < 4; shift++) {
        const four = fourOf(form, shift)
        const group = byFour.get(four)
        if (group === undefined) byFour.set(four, [{ index, shift }])
        else group.push({ index, shift })
      }
  return { forms, byFour }
}

const one = new Int32Array(1)
const itsBytes = new Uint8Array(one.buffer)

/** In the byte order of this machine. */
function fourOf(text: string, at: number): number {
  for (let next = 0; next < 4; next++) itsBytes[next] = text.charCodeAt(at + next)
  return one[0]!
}

const fours = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
/** 1 where one of the texts that are searched for now may have these four characters. Empty between two searches. */
const marks = new Uint8Array(1 << 16)

function markOf(four: number): number {
  return Math.imul(four, 0x9e_37_79_b1) >>> 16
}

/** Scans a text once, however many forms are searched for. */
export function findMany(text: string, many: Many, hit: (index: number, start: number) => void): void {
  if (many.forms.length <= FEW) return findFew(text, many.forms, hit)
  for (const four of many.byFour.keys()) marks[markOf(four)] = 1
  for (let from = 0; from < text.length; from += LONGEST_PART) {
    const length = copyToBytes(text.length <= LONGEST_PART ? text : text.slice(from, from + LONGEST_PART))
    for (let at = 0; at < length >> 2; at++) {
      const four = fours[at]!
      if (marks[markOf(four)] === 1) check(text, from + (at << 2), four, many, hit)
    }
  }
  for (const four of many.byFour.keys()) marks[markOf(four)] = 0
}

function check(
  text: string,
  at: number,
  four: number,
  { forms, byFour }: Many,
  hit: (index: number, start: number) => void,
): void {
  for (const { index, shift } of byFour.get(four) ?? NONE)
    if (at >= shift && text.startsWith(forms[index]!, at - shift)) hit(index, at - shift)
}

const NONE: readonly FoundAt[] = []

function findFew(text: string, forms: readonly string[], hit: (index: number, start: number) => void): void {
  for (const [index, form] of forms.entries())
    for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) hit(index, at)
}
