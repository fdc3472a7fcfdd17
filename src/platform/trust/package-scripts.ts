import { shellWords } from './shell-words.js'

/** Short names, and what is run without being named. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  t: ['test'],
  tst: ['test'],
  i: ['install', 'prepare'],
  ci: ['install', 'prepare'],
  install: ['install', 'prepare'],
}

/** The lines of a package.json that the words of a command name, and those that these lines name in turn. */
export function packageScripts(
  manifest: Readonly<Record<string, unknown>> | undefined,
  words: Iterable<string>,
): string[] {
  const scripts = manifest?.['scripts']
  if (typeof scripts !== 'object' || scripts === null) return []
  const lines = new Map(Object.entries(scripts))
  const found = new Set<string>()
  const waiting = [...words]
  for (let word = waiting.pop(); word !== undefined; word = waiting.pop()) {
    for (const name of [word, ...(MEANT[word] ?? [])].flatMap((each) => [
      each,
      `pre${each}`,
      `post${each}`,
    ])) {
      const line: unknown = lines.get(name)
      lines.delete(name)
      if (typeof line !== 'string') continue
      found.add(line)
      waiting.push(...shellWords(line))
    }
  }
  return [...found]
}
