import { nearestWord } from '../../../platform/config/nearest-word.js'
import { toTextTest } from '../../../policy/patterns/glob-text.js'
import type { CompiledOperation } from '../compiled.js'

type Selected = Pick<CompiledOperation, 'name' | 'operationId' | 'method' | 'path' | 'tags'>

/** Whether an operation is named by one of the patterns of `include` or `exclude`, or by a key of `operations`. */
export function operationTest(patterns: readonly string[]): (operation: Selected) => boolean {
  const tests = patterns.map(patternTest)
  return (operation) => tests.some((test) => test(operation))
}

export interface UnmatchedPattern {
  readonly pattern: string
  /** What was probably meant. */
  readonly near: string | undefined
}

/** Patterns that name no operation are probably misspelled. */
export function unmatched(patterns: readonly string[], operations: readonly Selected[]): UnmatchedPattern[] {
  return patterns
    .filter((pattern) => !operations.some(patternTest(pattern)))
    .map((pattern) => ({ pattern, near: nearestWord(pattern, namesLike(pattern, operations)) }))
}

/** What a pattern of this form can name. */
function namesLike(pattern: string, operations: readonly Selected[]): string[] {
  const trimmed = pattern.trim()
  if (trimmed.startsWith('tag:')) return operations.flatMap(({ tags }) => tags.map((tag) => `tag:${tag}`))
  if (trimmed.startsWith('/')) return operations.map(({ path }) => path)
  if (trimmed.includes('/')) return operations.map(({ method, path }) => `${method} ${path}`)
  return operations.flatMap(({ name, operationId }) => [name, operationId ?? name])
}

export interface Selection {
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
}

export function selectOperations<Operation extends Selected>(
  operations: readonly Operation[],
  { include, exclude = [] }: Selection,
): Operation[] {
  const isIncluded = include ? operationTest(include) : () => true
  const isExcluded = operationTest(exclude)
  return operations.filter((operation) => isIncluded(operation) && !isExcluded(operation))
}

function patternTest(pattern: string): (operation: Selected) => boolean {
  const trimmed = pattern.trim()
  if (trimmed.startsWith('tag:')) {
    const test = toTextTest(trimmed.slice(4).trim().toLowerCase())
    return ({ tags }) => tags.some((tag) => test(tag.toLowerCase()))
  }
  const [, method, path] = /^(?:([A-Za-z*-]+)\s+)?(\/.*|\*)$/.exec(trimmed) ?? []
  if (path !== undefined) {
    const isMethod = toTextTest((method ?? '*').toUpperCase())
    const isPath = toTextTest(path)
    return (operation) => isMethod(operation.method) && isPath(operation.path)
  }
  const test = toTextTest(trimmed)
  return ({ name, operationId }) => test(name) || (operationId !== undefined && test(operationId))
}
