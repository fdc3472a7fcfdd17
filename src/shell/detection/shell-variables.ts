import type { Arg } from './arg.js'
import { ANYWHERE } from './resolve-path.js'
import type { Trace } from './trace.js'

// Always a number or a few letters: it cannot become a path, an option or a second word.
const NUMBERS = new Set([
  '?',
  '#',
  '$',
  '!',
  '-',
  'RANDOM',
  'SECONDS',
  'LINENO',
  'UID',
  'EUID',
  'PPID',
  'SHLVL',
])

export function isNumber(name: string): boolean {
  return NUMBERS.has(name)
}

/** The possible values of a variable; undefined if they come from the environment. */
export function valuesOf(name: string, trace: Trace): readonly Arg[] | undefined {
  const set = trace.variables.get(name)
  if (set !== undefined) return set
  if (name === 'HOME') return [asPath(trace.home)]
  if (name === 'PWD') return folderValues(trace)
  if (name === 'IFS') return [' \t\n']
  const place = Number(name)
  if (Number.isInteger(place) && place > 0) return trace.positionals && [trace.positionals[place - 1] ?? '']
  return undefined
}

export function folderValues(trace: Trace): readonly Arg[] | undefined {
  if (trace.folders.some(({ cwd }) => cwd.startsWith(ANYWHERE))) return undefined
  return trace.folders.map(({ cwd }) => asPath(cwd))
}

function asPath(path: string): Arg {
  if (!path.includes('\\') && !path.includes('*')) return path
  const value = path.replaceAll(/\\(.)/g, '$1')
  return { written: value, value, path, isKnown: true, isLiteral: true }
}
