/** Nobody reads more of them, and each is looked up in the text. */
const MOST_PROBLEMS = 100

/** The first of what was found, and a sentence about how many are left out. */
export function firstProblems<Found>(found: readonly Found[]): {
  readonly shown: readonly Found[]
  readonly left: string | undefined
} {
  const shown = found.slice(0, MOST_PROBLEMS)
  const count = found.length - shown.length
  return { shown, left: count > 0 ? `and ${count} more` : undefined }
}
