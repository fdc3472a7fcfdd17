import { escapeWildcards, isWild, plainName } from '../patterns/path-pattern.js'

/** The folder up to the first wildcard has its links followed; the rest only the shell knows. */
export function followFolder(written: string, followLinks: (path: string) => string): string {
  const segments = written.split('/')
  const first = segments.findIndex(isWild)
  const folder = plainName(segments.slice(0, first).join('/'))
  const real = followLinks(folder)
  return real === folder ? written : [escapeWildcards(real), ...segments.slice(first)].join('/')
}
