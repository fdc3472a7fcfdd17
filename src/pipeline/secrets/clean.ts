import type { Tally } from '../../redaction/redactor.js'
import type { CallRun } from '../call-run.js'

/** What has to be known of a call to clean its words. */
export type Cleaned = Pick<CallRun, 'redactor' | 'secrets' | 'redacted'>

/** How often each rule found something. */
export type RedactionCounts = Readonly<Record<string, number>>

/** A text without anything secret: nothing of the call's own secrets, and nothing that looks like one. */
export function cleanText(text: string, run: Cleaned): string {
  tally.run = run
  return run.redactor.text(text, run.secrets, tally)
}

/** The same for every text inside a value; what holds no secret is given back as it is. */
export function cleanValue<Value>(value: Value, run: Cleaned): Value {
  tally.run = run
  return run.redactor.value(value, run.secrets, tally)
}

/** Adds what was counted elsewhere. */
export function countRedactions(run: Pick<Cleaned, 'redacted'>, found: RedactionCounts): void {
  for (const [rule, count] of Object.entries(found)) add(run, rule, count)
}

function add(run: Pick<Cleaned, 'redacted'>, rule: string, count: number): void {
  const counts = (run.redacted ??= {})
  counts[rule] = (counts[rule] ?? 0) + count
}

// One for all calls: redacting never waits, and most texts hold nothing to count.
const tally: Tally & { run: Cleaned | undefined } = {
  run: undefined,
  add(rule) {
    add(this.run!, rule, 1)
  },
}
