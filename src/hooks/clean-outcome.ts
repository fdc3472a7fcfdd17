import { truncateAfter } from '../platform/text/truncate.js'
import type { HookAnswer } from './hook.js'
import type { HookOutcome } from './run-hook.js'

/** Removes secrets from a text, and from every text inside a value. */
export interface Cleaner {
  text(text: string): string
  value<Value>(value: Value): Value
}

/** A hook's outcome without secrets: its texts are recorded. New inputs and outputs are cleaned where they are applied. */
export function cleanOutcome(outcome: HookOutcome, clean: Cleaner): HookOutcome {
  const facts = clean.value(outcome.facts)
  if (!outcome.ok) return { ...outcome, facts, problem: words(outcome.problem, clean) }
  return { ...outcome, facts, answer: cleanAnswer(outcome.answer, clean) }
}

function cleanAnswer(answer: HookAnswer, clean: Cleaner): HookAnswer {
  const { message, progress, permission, additionalContext, stop, persistence } = answer
  const cleaned: HookAnswer = { ...answer }
  if (message !== undefined) cleaned.message = words(message, clean)
  if (progress !== undefined) cleaned.progress = words(progress, clean)
  if (additionalContext !== undefined)
    cleaned.additionalContext = [additionalContext].flat().map((text) => clean.text(text))
  if (permission?.message !== undefined)
    cleaned.permission = { ...permission, message: words(permission.message, clean) }
  if (stop) cleaned.stop = { reason: words(stop.reason, clean) }
  if (persistence) cleaned.persistence = { ...persistence, reason: words(persistence.reason, clean) }
  return cleaned
}

const MAX_WORDS_CHARS = 4000

/** Cleaned before it is truncated: half a secret would not be recognized. */
function words(text: string, clean: Cleaner): string {
  return truncateAfter(clean.text(text), MAX_WORDS_CHARS)
}
