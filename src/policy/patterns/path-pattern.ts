import { isAbsolute, resolve, sep } from 'node:path'

/** The folders that the paths of a rule start from. */
export interface PatternFolders {
  /** What `./` and a single leading `/` mean: the folder of the file that holds the rule. */
  readonly base: string
  readonly home: string
}

/** A path pattern in gitignore style, made absolute. It also covers everything below the path that it names. */
export interface PathPattern {
  /** Its segments below the root; `**` stands for any number of them. */
  readonly segments: readonly string[]
  /** A name without a folder: it matches a file or folder of that name anywhere. */
  readonly isAnywhere: boolean
}

export const EVERY_PATH: PathPattern = { segments: [], isAnywhere: false }

export type ParsedPath = { ok: true; pattern: PathPattern } | { ok: false; problem: string }

/** `./src/**`, `src/*.ts`, `~/notes/**`, `//etc/hosts`; `*.env` and `.env` match anywhere. */
export function parsePathPattern(given: string, { base, home }: PatternFolders): ParsedPath {
  const text = given.trim()
  if (text === '') return { ok: false, problem: 'it names no path' }
  if (text.startsWith('!')) return { ok: false, problem: 'a path cannot be negated; write a rule of its own' }
  const problem = bracketProblem(text)
  if (problem !== undefined) return { ok: false, problem }
  if (text === '~' || text.startsWith('~/')) return anchored(home, text.slice(1))
  if (text.startsWith('//')) return anchored('/', text)
  const name = text.replace(/\/+$/, '')
  const isAnywhere = name !== '' && name !== '.' && name !== '..' && !name.includes('/')
  return isAnywhere ? { ok: true, pattern: { segments: [name], isAnywhere } } : anchored(base, text)
}

/** The folder is a plain name, whatever characters it has; only the rule's own text has wildcards. */
function anchored(folder: string, written: string): ParsedPath {
  const segments = segmentsOf(folder).map(escapeWildcards)
  for (const part of written.split('/')) {
    if (part === '..') segments.pop()
    else if (part !== '' && part !== '.') segments.push(part)
  }
  return { ok: true, pattern: { segments, isAnywhere: false } }
}

export function segmentsOf(path: string): string[] {
  const absolute = isAbsolute(path) ? path : resolve(path)
  return absolute.split(sep === '\\' ? /[\\/]/ : '/').filter((segment) => segment !== '')
}

// The meaning of a backslash depends on the character after it.
const WILD = /^(?:[^\\*?[]|\\[\s\S])*[*?[]/
const BRACKET = /\\[\s\S]|\[[!^]?\]?[^\]]*\]/g

export function isWild(segment: string): boolean {
  return WILD.test(segment)
}

/** The name that a segment without wildcards means. */
export function plainName(segment: string): string {
  return segment.includes('\\') ? segment.replaceAll(/\\([\s\S])/g, '$1') : segment
}

export function escapeWildcards(name: string): string {
  return name.replaceAll(/[\\*?[]/g, String.raw`\$&`)
}

function bracketProblem(text: string): string | undefined {
  for (const [bracket] of text.matchAll(BRACKET)) {
    if (bracket.startsWith('\\')) continue
    if (bracket.startsWith('[[:')) return `its "${bracket}" is not known; write the characters out`
    const { body } = readBracket(bracket)
    if (body === '') return `its bracket "${bracket}" holds nothing`
    const ranges = [...body.matchAll(/([\s\S])-([\s\S])/gu)]
    if (ranges.some(([, from, to]) => from!.codePointAt(0)! > to!.codePointAt(0)!)) {
      return `its bracket "${bracket}" has a range that runs backwards`
    }
  }
  return /\[/.test(text.replaceAll(BRACKET, '')) ? 'its bracket "[" is never closed' : undefined
}

function readBracket(bracket: string): { body: string; isNegated: boolean } {
  const inner = bracket.slice(1, -1)
  const isNegated = /^[!^]/.test(inner)
  return { body: isNegated ? inner.slice(1) : inner, isNegated }
}

/** A test of one segment against a wildcard name. `*` and `?` never take a slash. */
export function toSegmentTest(pattern: string): (segment: string) => boolean {
  if (!isWild(pattern)) {
    const name = plainName(pattern)
    return (segment) => segment === name
  }
  if (/^\*[^*?[\\]+$/.test(pattern)) {
    const end = pattern.slice(1)
    return (segment) => segment.endsWith(end)
  }
  const source = pattern.replaceAll(/\\[\s\S]|\[[!^]?\]?[^\]]*\]|\*+|[\s\S]/g, (part) => {
    if (part.startsWith('*')) return '[^/]*'
    if (part === '?') return '[^/]'
    if (part.length > 1 && part.startsWith('[')) return toClass(part)
    return plainName(part).replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
  })
  const expression = new RegExp(`^${source}$`, 'su')
  return (segment) => expression.test(segment)
}

function toClass(bracket: string): string {
  const { body, isNegated } = readBracket(bracket)
  const escaped = body.replaceAll(/[\\[\]^]/g, String.raw`\$&`)
  return isNegated ? `[^/${escaped}]` : `[${escaped}]`
}

/** Whether the pattern names this path or a folder above it. */
export function toPathTest({ segments, isAnywhere }: PathPattern): (path: readonly string[]) => boolean {
  if (isAnywhere) {
    const test = toSegmentTest(segments[0]!)
    return (path) => path.some(test)
  }
  const tests = segments.map((segment) => (segment === '**' ? undefined : toSegmentTest(segment)))
  return (path) => matchFrom(tests, path, 0, 0)
}

type SegmentTest = ((segment: string) => boolean) | undefined

function matchFrom(
  tests: readonly SegmentTest[],
  path: readonly string[],
  from: number,
  at: number,
): boolean {
  for (let index = from; index < tests.length; index++) {
    const test = tests[index]
    if (test === undefined) {
      // `dir/**` means the content of the folder, not the folder itself.
      if (index === tests.length - 1) return at < path.length
      for (let next = at; next < path.length; next++) if (matchFrom(tests, path, index + 1, next)) return true
      return false
    }
    if (at >= path.length || !test(path[at]!)) return false
    at++
  }
  return true
}
