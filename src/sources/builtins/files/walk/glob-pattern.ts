import { toSegmentTest } from '../../../../policy/patterns/path-pattern.js'

/** Whether a path below a folder, in its segments, is meant. */
export type GlobTest = (segments: readonly string[]) => boolean

const MAX_ALTERNATIVES = 100

/** `*.ts`, `src/**\/*.{ts,js}`: a pattern without a slash is a name in any folder. Undefined if it cannot be read. */
export function parseGlob(pattern: string): GlobTest | undefined {
  const alternatives = expandBraces(pattern)
  if (alternatives.length > MAX_ALTERNATIVES) return undefined
  const tests = alternatives.map((each) => toTest(each.includes('/') ? each : `**/${each}`))
  return (segments) => tests.some((test) => test(segments))
}

/** One pattern without braces, from the folder on. */
export function toTest(pattern: string): GlobTest {
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.')
  const tests = parts.map((part) => (part === '**' ? undefined : toSegmentTest(part)))
  return (segments) => matches(tests, segments, 0, 0)
}

function matches(
  tests: readonly (((segment: string) => boolean) | undefined)[],
  segments: readonly string[],
  at: number,
  from: number,
): boolean {
  for (let index = at; index < tests.length; index++) {
    const test = tests[index]
    if (test === undefined) {
      if (index === tests.length - 1) return from < segments.length
      for (let next = from; next < segments.length; next++)
        if (matches(tests, segments, index + 1, next)) return true
      return false
    }
    if (from >= segments.length || !test(segments[from]!)) return false
    from++
  }
  return from === segments.length
}

/** `a.{ts,js}` is `a.ts` and `a.js`. */
function expandBraces(pattern: string): string[] {
  const braces = /\{([^{}]*)\}/.exec(pattern)
  if (!braces) return [pattern]
  const expanded: string[] = []
  for (const choice of braces[1]!.split(',')) {
    const before = pattern.slice(0, braces.index)
    const after = pattern.slice(braces.index + braces[0].length)
    expanded.push(...expandBraces(`${before}${choice}${after}`))
    if (expanded.length > MAX_ALTERNATIVES) break
  }
  return expanded
}
