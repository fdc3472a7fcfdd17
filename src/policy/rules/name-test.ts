import { toTextTest } from '../patterns/glob-text.js'
import { namesWholeServer } from './server-names.js'

export interface NameTest {
  readonly test: (name: string) => boolean
  /** It matches exactly one name. */
  readonly isExact: boolean
}

/** `mcp__github` means all tools of that server, as `mcp__github__*` does. */
export function toNameTest(pattern: string): NameTest {
  const test = toTextTest(pattern)
  if (pattern.includes('*')) return { test, isExact: false }
  if (!namesWholeServer(pattern)) return { test, isExact: true }
  const below = `${pattern}__`
  return { test: (name) => test(name) || name.startsWith(below), isExact: false }
}
