import { toTest, type GlobTest } from './glob-pattern.js'

/** Rules of one `.gitignore`, and of the files in the folders above it. */
export interface IgnoreRules {
  /** How many segments below the start of the walk the file is. */
  readonly depth: number
  readonly rules: readonly IgnoreRule[]
  readonly above: IgnoreRules | undefined
}

interface IgnoreRule {
  readonly test: GlobTest
  readonly isNegated: boolean
  readonly isForFolders: boolean
}

export function parseIgnore(text: string): IgnoreRule[] {
  return text.split(/\r?\n/).flatMap((line) => parseLine(line) ?? [])
}

function parseLine(line: string): IgnoreRule | undefined {
  const written = line.replace(/(?<!\\)\s+$/, '')
  if (written === '' || written.startsWith('#')) return undefined
  const isNegated = written.startsWith('!')
  const pattern = (isNegated ? written.slice(1) : written).replace(/^\\(?=[#!])/, '')
  const isForFolders = pattern.endsWith('/')
  const body = pattern.replace(/\/+$/, '')
  if (body === '') return undefined
  try {
    return { test: toTest(body.includes('/') ? body : `**/${body}`), isNegated, isForFolders }
  } catch {
    // A bracket that git does not read either.
    return undefined
  }
}

/** Whether a path is ignored: the nearest file decides, and in it the last rule. */
export function isIgnored(
  ignore: IgnoreRules | undefined,
  segments: readonly string[],
  isFolder: boolean,
): boolean {
  for (let at = ignore; at; at = at.above) {
    const below = segments.slice(at.depth)
    const rule = at.rules.findLast(({ test, isForFolders }) => (isFolder || !isForFolders) && test(below))
    if (rule) return !rule.isNegated
  }
  return false
}
