import { sameJson } from '../../foundation/json/same-json.js'

/**
 * An edited input as it was meant: reviewers see masks where secrets stand, and what they left as they saw it is the
 * secret still.
 */
export function restoreMasked(original: unknown, shown: unknown, edited: unknown): unknown {
  if (sameJson(shown, edited)) return original
  if (Array.isArray(original) && Array.isArray(shown) && Array.isArray(edited)) {
    return edited.length === shown.length
      ? edited.map((item, index) => restoreMasked(original[index], shown[index], item))
      : edited.map((item) => restoreItem(original, shown, item))
  }
  if (!isPlain(original) || !isPlain(shown) || !isPlain(edited)) return edited
  return Object.fromEntries(
    Object.entries(edited).map(([key, member]) => [
      key,
      Object.hasOwn(shown, key) ? restoreMasked(original[key], shown[key], member) : member,
    ]),
  )
}

/** Items moved when one was added or taken out; one that is shown just once is still the same. */
function restoreItem(original: readonly unknown[], shown: readonly unknown[], item: unknown): unknown {
  const places = [...shown.keys()].filter((index) => sameJson(shown[index], item))
  return places.length === 1 ? original[places[0]!] : item
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
