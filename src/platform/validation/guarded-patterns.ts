import { patternCost } from './pattern-cost.js'

/** About a tenth of a second. */
const MAX_STEPS = 10_000_000

interface Pattern {
  test(text: string): boolean
  toString(): string
}

/** Regular expressions of an untrusted schema, and their joint budget for one value. */
export interface GuardedPatterns {
  readonly compile: ((pattern: string, flags: string) => Pattern) & { code: string }
  /** Starts the budget of a new value. */
  begin(): void
}

/**
 * Makes patterns that cannot block the event loop: a pattern whose cost cannot be computed throws, and a text for which
 * no budget is left is accepted unchecked.
 */
export function createGuardedPatterns(create: (pattern: string, flags: string) => RegExp): GuardedPatterns {
  let left = MAX_STEPS
  const compile = (pattern: string, flags: string): Pattern => {
    const cost = patternCost(pattern)
    if (!cost) throw new Error(`the pattern ${JSON.stringify(pattern.slice(0, 100))} could take too long`)
    const expression = create(pattern, flags)
    return {
      test(text) {
        const steps = cost.paths * Math.max(1, text.length) ** cost.degree
        if (steps > left) return true
        left -= steps
        return expression.test(text)
      },
      // Ajv distinguishes patterns by it.
      toString: () => expression.toString(),
    }
  }
  return {
    compile: Object.assign(compile, { code: 'guardedRegExp' }),
    begin() {
      left = MAX_STEPS
    },
  }
}
