/** The rules of a robots.txt for one program (RFC 9309). */
export type RobotsRules = readonly RobotsRule[]

interface RobotsRule {
  readonly isAllowed: boolean
  /** The path that it names. The longest one that matches decides. */
  readonly path: string
}

/** Longer files are read up to here. */
export const MAX_ROBOTS_BYTES = 512 * 1024
const MAX_RULES = 10_000

/** The rules for a program, by its name in robots.txt; those for all programs where none names it. */
export function parseRobots(text: string, program: string): RobotsRules {
  const own: RobotsRule[] = []
  const all: RobotsRule[] = []
  const name = program.toLowerCase()
  let isNamed = false
  let targets: RobotsRule[][] = []
  let isHead = false
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, key = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*?)\s*(?:#.*)?$/i.exec(line) ?? []
    switch (key.toLowerCase()) {
      case 'user-agent': {
        // Several names in a row share the rules below them.
        if (!isHead) targets = []
        isHead = true
        const given = value.toLowerCase().split(/[\s/]/, 1)[0]
        if (given === name) isNamed = targets.push(own) > 0
        else if (given === '*') targets.push(all)
        break
      }
      case 'allow':
      case 'disallow':
        isHead = false
        // An empty path forbids nothing.
        if (value === '') break
        for (const rules of targets)
          if (rules.length < MAX_RULES) rules.push({ isAllowed: key.toLowerCase() === 'allow', path: value })
    }
  }
  return isNamed ? own : all
}

/** Whether the rules let a program read a path with its query. The longest rule decides; of equal ones, the allowing one. */
export function isAllowedByRobots(rules: RobotsRules, { pathname, search }: URL): boolean {
  const path = normalize(pathname + search)
  if (path === '/robots.txt') return true
  let best: RobotsRule | undefined
  for (const rule of rules) {
    if (!matches(path, normalize(rule.path))) continue
    const isBetter =
      best === undefined ||
      rule.path.length > best.path.length ||
      (rule.path.length === best.path.length && rule.isAllowed)
    if (isBetter) best = rule
  }
  return best?.isAllowed ?? true
}

/** `*` is any text and a last `$` the end. Linear: each part is searched from where the last one ended. */
function matches(path: string, pattern: string): boolean {
  const isWhole = pattern.endsWith('$')
  const [first = '', ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  let at = first.length
  const last = isWhole ? parts.pop() : undefined
  for (const part of parts) {
    const found = path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  if (!isWhole) return true
  return last === undefined ? path.length === at : path.length - last.length >= at && path.endsWith(last)
}

/** One spelling of each path: `%7e` and `~` are the same, and other characters are encoded. */
function normalize(path: string): string {
  return path
    .replaceAll(/%[\da-f]{2}/gi, (code) => {
      const character = String.fromCodePoint(parseInt(code.slice(1), 16))
      return /[\w.~-]/.test(character) ? character : code.toUpperCase()
    })
    .replaceAll(/[^\u0021-\u007e]+/g, encode)
}

const encode = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
