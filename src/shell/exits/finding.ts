import type { ExitMeaning, ExitReading } from '../exit-reading.js'

/** The meaning of an exit code if it comes from one part of a command. None if the part cannot end with that code. */
export interface Finding {
  readonly meaning: Exclude<ExitMeaning, 'success'>
  /** The part, as a sentence names it. */
  readonly by: string
  /** The rest of a sentence that begins with "because", if a failure cannot be excluded. */
  readonly why?: string
}

/** The part that inverted a code. */
export const NEGATION = '!'

export function failed(by: string, why?: string): readonly Finding[] {
  return [why === undefined ? { meaning: 'failure', by } : { meaning: 'failure', by, why }]
}

/** The meaning of the code, whichever of these parts it comes from. */
export function combineFindings(findings: readonly Finding[], code: number): ExitReading {
  const worst = findings.find(({ meaning }) => meaning === 'failure')
  const answer = findings.find(({ meaning }) => meaning !== 'failure')
  if (worst !== undefined) return failure(sayFailure(worst, answer, code))
  if (answer === undefined) return failure(`The command failed with exit code ${code}.`)
  const { by } = answer
  const meanings = new Set(findings.map(({ meaning }) => meaning))
  if (meanings.has('partly')) return { meaning: 'partly', sentence: say('partly', by, code) }
  if (meanings.size === 1) return { meaning: answer.meaning, sentence: say(answer.meaning, by, code) }
  return {
    meaning: 'condition_false',
    sentence: `One of the commands said no with exit code ${code}, and the rest did not run.`,
  }
}

export function failure(sentence: string): ExitReading {
  return { meaning: 'failure', sentence }
}

function sayFailure({ by, why }: Finding, answer: Finding | undefined, code: number): string {
  if (why !== undefined) return `Exit code ${code} counts as a failure, because ${why}.`
  if (answer === undefined) return `Exit code ${code} is a failure of ${by}.`
  return `Exit code ${code} counts as a failure, because it may come from ${by} and not from ${answer.by}.`
}

function say(meaning: Finding['meaning'], by: string, code: number): string {
  if (by === NEGATION) return `The command behind "!" succeeded, and "!" makes exit code ${code} of that.`
  switch (meaning) {
    case 'nothing_found':
      return `${by} found nothing, which is what its exit code ${code} says.`
    case 'differs':
      return `${by} found a difference, which is what its exit code ${code} says.`
    case 'condition_false':
      return `${by} answered no, which is what its exit code ${code} says.`
    case 'partly':
      return `${by} could not look everywhere, which is what its exit code ${code} says; there may be more than it found.`
    case 'failure':
      return `Exit code ${code} is a failure of ${by}.`
  }
}
