import { isObject } from '../platform/json/is-object.js'
import { sameJson } from '../platform/json/same-json.js'
import { markSpans } from '../redaction/mark-spans.js'
import { restoreText } from '../redaction/restore-text.js'

/** An input with its masks restored, or the path of a mask that cannot be restored. */
export type Restored = { value: unknown } | { maskAt: string }

/**
 * Restores the secrets in an edited input: the editor sees masks in place of secrets, and a mask that was left
 * unchanged still means the secret.
 */
export function restoreMasked(original: unknown, shown: unknown, edited: unknown): Restored {
  try {
    return { value: restore({ original, shown, edited }, '') }
  } catch (error) {
    if (error instanceof MaskLeft) return { maskAt: error.at }
    throw error
  }
}

/** One sentence for the sender of the edited input. */
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
  if (!isObject(edited)) return edited
  if (!isObject(original) || !isObject(shown)) return withoutMarks(edited, at)
  return restoreObject({ original, shown, edited }, at)
}

function restoreString(
  { original, shown, edited }: { original: unknown; shown: unknown; edited: string },
  at: string,
): string {
  if (markSpans(edited).length === 0) return edited
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
      if (markSpans(key).length > 0) throw new MaskLeft(place)
      return [key, withoutMarks(member, place)]
    }),
  )
}

/** A member's name may be a secret itself. Members have one order, so it is found by its position. */
function originalNames(original: object, shown: object): ReadonlyMap<string, string> {
  const [before, after] = [Object.keys(original), Object.keys(shown)]
  return before.length === after.length
    ? new Map(after.map((key, index) => [key, before[index]!]))
    : new Map(after.flatMap((key) => (Object.hasOwn(original, key) ? [[key, key] as const] : [])))
}

/** Items move when one is added or removed; one that appears only once is still the same. */
function restoreItem(
  { original, shown, edited }: { original: readonly unknown[]; shown: readonly unknown[]; edited: unknown },
  at: string,
): unknown {
  const places = [...shown.keys()].filter((index) => sameJson(shown[index], edited))
  return places.length === 1 ? original[places[0]!] : withoutMarks(edited, at)
}

/** New values have no original: a mask in one cannot be restored. */
function withoutMarks(value: unknown, at: string): unknown {
  if (typeof value === 'string' && markSpans(value).length > 0) throw new MaskLeft(at)
  if (Array.isArray(value)) value.forEach((item, index) => withoutMarks(item, `${at}[${index}]`))
  else if (isObject(value))
    for (const [key, member] of Object.entries(value)) {
      const place = at === '' ? key : `${at}.${key}`
      if (markSpans(key).length > 0) throw new MaskLeft(place)
      withoutMarks(member, place)
    }
  return value
}
