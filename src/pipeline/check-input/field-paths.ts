import { isObject } from '../../platform/json/is-object.js'

/** Functions for fields at dotted paths. They copy and never change a value. */

export function hasPath(value: unknown, path: string): boolean {
  let at = value
  for (const key of path.split('.')) {
    if (!isObject(at) || !Object.hasOwn(at, key)) return false
    at = at[key]
  }
  return true
}

export function withoutPaths(value: unknown, paths: readonly string[]): unknown {
  return paths.reduce((rest, path) => without(rest, path.split('.')), value)
}

function without(value: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined || !isObject(value) || !Object.hasOwn(value, key)) return value
  const copy = { ...value }
  if (rest.length === 0) delete copy[key]
  else copy[key] = without(copy[key], rest)
  return copy
}

/** `to` with the fields that `from` has at these paths. */
export function copyPaths(from: unknown, to: unknown, paths: readonly string[]): unknown {
  return paths.reduce(
    (target, path) => (hasPath(from, path) ? copy(from, target, path.split('.')) : target),
    to,
  )
}

function copy(from: unknown, to: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined || !isObject(from)) return from
  const target = isObject(to) ? to : {}
  return { ...target, [key]: copy(from[key], target[key], rest) }
}
