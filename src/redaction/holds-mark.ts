import { markPlaces } from './mark-places.js'

/** Whether a mark that stands for a secret is anywhere in a value, its names included. */
export function holdsMark(value: unknown): boolean {
  if (typeof value === 'string') return markPlaces(value).length > 0
  if (typeof value !== 'object' || value === null) return false
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue
    if (holdsMark(name) || holdsMark((value as Record<string, unknown>)[name])) return true
  }
  return false
}
