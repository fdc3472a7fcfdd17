import { toTextTest } from '../patterns/glob-text.js'

export interface NameTest {
  readonly test: (name: string) => boolean
  /** It means one name. */
  readonly isExact: boolean
}

/** `mcp__github` means all tools of that server, as `mcp__github__*` does. */
export function toNameTest(pattern: string): NameTest {
  const test = toTextTest(pattern)
  if (pattern.includes('*')) return { test, isExact: false }
  if (!/^mcp__(?:(?!__).)+$/.test(pattern)) return { test, isExact: true }
  const below = `${pattern}__`
  return { test: (name) => test(name) || name.startsWith(below), isExact: false }
}
