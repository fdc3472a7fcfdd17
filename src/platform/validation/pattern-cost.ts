/** The upper bound of the work for a text: `paths` times its length to the power of `degree`. */
export interface PatternCost {
  readonly paths: number
  readonly degree: number
}

interface Group {
  /** Whether it can match in more than one way. */
  isVariable: boolean
  alternatives: number
  /** Its length in characters after its repetitions are expanded. */
  weight: number
}

interface Repeat {
  readonly min: number
  readonly max: number
  readonly end: number
}

const MAX_WEIGHT = 10_000
const MAX_PATHS = 10_000

/**
 * The most that a regular expression costs; undefined where that cannot be computed. Nothing that varies may be
 * repeated, and there are no lookarounds or backreferences: the cost of the rest is polynomial in the length of the
 * text.
 */
export function patternCost(pattern: string): PatternCost | undefined {
  const groups: Group[] = [newGroup()]
  let paths = 1
  let degree = 0
  for (let at = 0; at < pattern.length;) {
    const group = groups.at(-1)!
    let atom: Group = newGroup(1)
    const sign = pattern[at]!
    if (sign === '|') {
      group.alternatives++
      at++
      continue
    }
    if (sign === '(') {
      const start = groupStart(pattern, at)
      if (start === undefined) return undefined
      groups.push(newGroup())
      at = start
      continue
    }
    if (sign === ')') {
      if (groups.length === 1) return undefined
      atom = closed(groups.pop()!)
      paths *= atom.alternatives
      at++
    } else {
      const end = atomEnd(pattern, at)
      if (end === undefined) return undefined
      at = end
    }
    const repeat = repeatAt(pattern, at)
    if (repeat) {
      if (atom.isVariable && repeat.max > 1) return undefined
      if (repeat.max > 1 && repeat.max > repeat.min) degree++
      else if (repeat.max > repeat.min) paths *= 2
      atom.isVariable ||= repeat.max > repeat.min
      atom.weight *= Number.isFinite(repeat.max) ? Math.max(1, repeat.max) : Math.max(1, repeat.min)
      at = repeat.end
    }
    const parent = groups.at(-1)!
    parent.isVariable ||= atom.isVariable
    parent.weight += atom.weight
    if (parent.weight > MAX_WEIGHT || paths > MAX_PATHS) return undefined
  }
  const whole = closed(groups.pop()!)
  if (groups.length > 0) return undefined
  // A pattern that is not anchored at the start is tried from every character.
  const isTied = pattern.startsWith('^') && whole.alternatives === 1
  return {
    paths: paths * whole.alternatives * Math.max(1, whole.weight),
    degree: isTied ? degree : degree + 1,
  }
}

function newGroup(weight = 0): Group {
  return { isVariable: false, alternatives: 1, weight }
}

function closed(group: Group): Group {
  return { ...group, isVariable: group.isVariable || group.alternatives > 1 }
}

/** Where the inside of a group begins; undefined for a lookaround. */
function groupStart(pattern: string, at: number): number | undefined {
  if (pattern[at + 1] !== '?') return at + 1
  if (pattern[at + 2] === ':') return at + 3
  const named = /\(\?<[A-Za-z_$][\w$]*>/y
  named.lastIndex = at
  return named.test(pattern) ? named.lastIndex : undefined
}

/** The end of one character, escape or class; undefined for a backreference. */
function atomEnd(pattern: string, at: number): number | undefined {
  const atom = /\[(?:[^\]\\]|\\[^])*\]|\\(?:[pPu]\{[^}]*\}|[^1-9k])|[^\\[*+?]/y
  atom.lastIndex = at
  return atom.test(pattern) ? atom.lastIndex : undefined
}

function repeatAt(pattern: string, at: number): Repeat | undefined {
  const repeat = /(?:([*+?])|\{(\d+)(,(\d*))?\})\??/y
  repeat.lastIndex = at
  const found = repeat.exec(pattern)
  if (!found) return undefined
  const [, sign, least, open, most] = found
  const end = repeat.lastIndex
  if (sign === '?') return { min: 0, max: 1, end }
  if (sign !== undefined) return { min: sign === '+' ? 1 : 0, max: Infinity, end }
  const min = Number(least)
  return { min, max: open === undefined ? min : most ? Number(most) : Infinity, end }
}
