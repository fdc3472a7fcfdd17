import { sameJson } from '../platform/json/same-json.js'
import { markPlaces } from '../redaction/mark-places.js'
import { restoreText } from '../redaction/restore-text.js'

/** An input as it was meant, or the place where a mask is left of which nobody can say what it stands for. */
export type Restored = { value: unknown } | { maskAt: string }

/**
 * An edited input as it was meant: whoever edits sees masks where secrets stand, and what they left as they saw it is the
 * secret still.
 */
export function restoreMasked(original: unknown, shown: unknown, edited: unknown): Restored {
  try {
    return { value: restore({ original, shown, edited }, '') }
  } catch (error) {
    if (error instanceof MaskLeft) return { maskAt: error.at }
    throw error
  }
}

/** One sentence for whoever sent it back. */
export function maskLeftSentence({ maskAt }: { maskAt: string }): string {
  const where = maskAt === '' ? 'The input' : `The input at "${maskAt}"`
  return `${where} holds a mask, and the text around it was changed; leave that text as it is shown, or write out what stands there.`
}

class MaskLeft extends Error {
  constructor(readonly at: string) {
    super(at)
  }
}

interface Versions {
  original: unknown
  shown: unknown
  edited: unknown
}

function restore({ original, shown, edited }: Versions, at: string): unknown {
  if (sameJson(shown, edited)) return original
  if (sameJson(original, edited)) return edited
  if (typeof edited === 'string') return restoreString({ original, shown, edited }, at)
  if (Array.isArray(edited)) {
    if (!Array.isArray(original) || !Array.isArray(shown)) return withoutMarks(edited, at)
    return edited.length === shown.length
      ? edited.map((item, index) =>
          restore({ original: original[index], shown: shown[index], edited: item }, `${at}[${index}]`),
        )
      : edited.map((item, index) => restoreItem({ original, shown, edited: item }, `${at}[${index}]`))
  }
  if (!isPlain(edited)) return edited
  if (!isPlain(original) || !isPlain(shown)) return withoutMarks(edited, at)
  return restoreObject({ original, shown, edited }, at)
}

function restoreString(
  { original, shown, edited }: { original: unknown; shown: unknown; edited: string },
  at: string,
): string {
  if (markPlaces(edited).length === 0) return edited
  const restored =
    typeof original === 'string' && typeof shown === 'string'
      ? restoreText(original, shown, edited)
      : undefined
  if (restored === undefined) throw new MaskLeft(at)
  return restored
}

function restoreObject(
  { original, shown, edited }: Record<'original' | 'shown' | 'edited', Readonly<Record<string, unknown>>>,
  at: string,
): unknown {
  const names = originalNames(original, shown)
  return Object.fromEntries(
    Object.entries(edited).map(([key, member]) => {
      const place = at === '' ? key : `${at}.${key}`
      const name = names.get(key)
      if (name !== undefined)
        return [name, restore({ original: original[name], shown: shown[key], edited: member }, place)]
      if (markPlaces(key).length > 0) throw new MaskLeft(place)
      return [key, withoutMarks(member, place)]
    }),
  )
}

/** A name may be a secret itself. Members stand in one order, so that it is known by its place. */
function originalNames(original: object, shown: object): ReadonlyMap<string, string> {
  const [before, after] = [Object.keys(original), Object.keys(shown)]
  return before.length === after.length
    ? new Map(after.map((key, index) => [key, before[index]!]))
    : new Map(after.flatMap((key) => (Object.hasOwn(original, key) ? [[key, key] as const] : [])))
}

/** Items moved when one was added or taken out; one that is shown just once is still the same. */
function restoreItem(
  { original, shown, edited }: { original: readonly unknown[]; shown: readonly unknown[]; edited: unknown },
  at: string,
): unknown {
  const places = [...shown.keys()].filter((index) => sameJson(shown[index], edited))
  return places.length === 1 ? original[places[0]!] : withoutMarks(edited, at)
}

/** What is new stands for itself: a mask in it stands for nothing. */
function withoutMarks(value: unknown, at: string): unknown {
  if (typeof value === 'string' && markPlaces(value).length > 0) throw new MaskLeft(at)
  if (Array.isArray(value)) value.forEach((item, index) => withoutMarks(item, `${at}[${index}]`))
  else if (isPlain(value))
    for (const [key, member] of Object.entries(value)) {
      const place = at === '' ? key : `${at}.${key}`
      if (markPlaces(key).length > 0) throw new MaskLeft(place)
      withoutMarks(member, place)
    }
  return value
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
