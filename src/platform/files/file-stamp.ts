import { statSync } from 'node:fs'

/** Changes with every replacement and every change of a file. Undefined where there is none. */
export function fileStamp(path: string): string | undefined {
  const facts = statSync(path, { bigint: true, throwIfNoEntry: false })
  return facts && [facts.ino, facts.mtimeNs, facts.ctimeNs, facts.size].join(' ')
}
