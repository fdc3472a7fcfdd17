import type { Redactor, Tally } from '../../redaction/redactor.js'

/** The parts of a run that redaction needs. Changed when secrets are found. */
export interface Cleaned {
  /** Redacts as the surface requests. */
  readonly redactor: Redactor
  /** Texts of sensitive fields: they are removed from every record of the call. */
  secrets: readonly string[]
  /** How often each rule found something. */
  redacted?: Record<string, number> | undefined
}

/** How often each rule found something. */
export type RedactionCounts = Readonly<Record<string, number>>

/** The text without the call's own secrets and without anything that looks like a secret. */
export function cleanText(text: string, run: Cleaned): string {
  tally.run = run
  return run.redactor.text(text, run.secrets, tally)
}

/** The same for every text inside a value; a value without secrets is returned as it is. */
export function cleanValue<Value>(value: Value, run: Cleaned): Value {
  tally.run = run
  return run.redactor.value(value, run.secrets, tally)
}

/** Adds redactions that were counted elsewhere. */
export function countRedactions(run: Pick<Cleaned, 'redacted'>, found: RedactionCounts): void {
  for (const [rule, count] of Object.entries(found)) add(run, rule, count)
}

function add(run: Pick<Cleaned, 'redacted'>, rule: string, count: number): void {
  const counts = (run.redacted ??= {})
  counts[rule] = (counts[rule] ?? 0) + count
}

// One for all calls: redacting is synchronous, and most texts have nothing to count.
const tally: Tally & { run: Cleaned | undefined } = {
  run: undefined,
  add(rule) {
    add(this.run!, rule, 1)
  },
}
