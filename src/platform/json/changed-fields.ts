import { isObject } from './is-object.js'
import { sameJson } from './same-json.js'

/** Dotted paths of what differs, at most twenty. */
export function changedFields(before: unknown, after: unknown): string[] {
  const found: string[] = []
  compare(before, after, '', found)
  return found.slice(0, 20)
}

function compare(before: unknown, after: unknown, path: string, found: string[]): void {
  if (found.length > 20 || sameJson(before, after)) return
  if (!isObject(before) || !isObject(after)) {
    found.push(path === '' ? '.' : path)
    return
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const at = path === '' ? key : `${path}.${key}`
    if (Object.hasOwn(before, key) && Object.hasOwn(after, key)) compare(before[key], after[key], at, found)
    else found.push(at)
  }
}
