/** A word as the program would get it. A literal word without wildcards is its text. */
export type Arg = string | SpecialArg

export interface SpecialArg {
  /** For the list: without quotes, but as written if the shell has to expand it. */
  readonly written: string
  /** What the program gets, if known. */
  readonly value: string
  /** The value as a path: wildcards stay, literal wildcard characters are escaped, `**` means unknown. */
  readonly path: string
  /** Other paths that it may be as well: a variable with several values. */
  readonly also?: readonly SpecialArg[] | undefined
  readonly isKnown: boolean
  /** The shell has nothing to expand in it. */
  readonly isLiteral: boolean
}

/** Any text, also with slashes. */
export const ANYTHING = '**'

export const UNKNOWN: SpecialArg = {
  written: '',
  value: '',
  path: `/${ANYTHING}`,
  isKnown: false,
  isLiteral: false,
}

export function valueOf(arg: Arg): string {
  return typeof arg === 'string' ? arg : arg.value
}

/** For the list. */
export function writtenOf(arg: Arg): string {
  return typeof arg === 'string' ? arg : arg.written
}

export function isKnown(arg: Arg): boolean {
  return typeof arg === 'string' || arg.isKnown
}

export function pathOf(arg: Arg): string {
  return typeof arg === 'string' ? arg : arg.path
}

/** A word with only literal characters. */
export function literalArg(value: string): Arg {
  const path = escapeWildcards(value)
  return path === value ? value : { written: value, value, path, isKnown: true, isLiteral: true }
}

/** The rest of a word after its first characters: the file in `--output=file`. */
export function tailOf(arg: Arg, start: number): Arg {
  if (typeof arg === 'string') return arg.slice(start)
  const path = arg.path.slice(start)
  return {
    written: arg.written.slice(start),
    value: arg.value.slice(start),
    path: path.startsWith(ANYTHING) ? `/${path}` : path,
    also: arg.also?.map((each) => tailOf(each, start) as SpecialArg),
    isKnown: arg.isKnown,
    isLiteral: arg.isLiteral,
  }
}

const STAR = 42
const QUESTION = 63
const BRACKET = 91
const BACKSLASH = 92

/** Text as a path pattern that matches exactly this text. */
export function escapeWildcards(text: string): string {
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (isWildcard(char)) return escapeFrom(text, at)
  }
  return text
}

function isWildcard(char: number): boolean {
  return char === STAR || char === QUESTION || char === BRACKET || char === BACKSLASH
}

function escapeFrom(text: string, first: number): string {
  let escaped = ''
  let from = 0
  for (let at = first; at < text.length; at++) {
    if (!isWildcard(text.charCodeAt(at))) continue
    escaped += `${text.slice(from, at)}\\`
    from = at
  }
  return escaped + text.slice(from)
}
