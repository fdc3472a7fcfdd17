import { escapeWildcards, isWild, plainName } from '../patterns/path-pattern.js'

/** Links in the folder before the first wildcard are followed; only the shell can expand the rest. */
export function followFolder(written: string, followLinks: (path: string) => string): string {
  const segments = written.split('/')
  const first = segments.findIndex(isWild)
  const folder = plainName(segments.slice(0, first).join('/'))
  const real = followLinks(folder)
  return real === folder ? written : [escapeWildcards(real), ...segments.slice(first)].join('/')
}
