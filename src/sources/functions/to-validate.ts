import { truncateAfter } from '../../platform/text/truncate.js'
import { toPointer } from '../../platform/validation/to-pointer.js'
import { maxIssues, type Issue, type Validate, type Validated } from '../../platform/validation/validated.js'
import type { LibraryIssue, StandardProps, StandardResult, Validator } from './schema-types.js'

const maxMessageLength = 300

/** Words that libraries use for the received type; anything else after "received" may be the value itself. */
const kindWords = new Set(
  'undefined null string number boolean array object bigint date function symbol map set nan'.split(' '),
)

/** One interface for every validator. What it throws is never shown, because it may quote the value. */
export function toValidate(validator: Validator): Validate {
  if ('~standard' in validator && typeof validator['~standard'].validate === 'function') {
    return fromStandard(validator['~standard'] as CheckingProps)
  }
  if ('safeParse' in validator && typeof validator.safeParse === 'function') {
    const parser = validator as unknown as { safeParse(value: unknown): SafeResult | PromiseLike<SafeResult> }
    return guarded((value) => parser.safeParse(value), fromSafeResult)
  }
  if ('parse' in validator && typeof validator.parse === 'function') {
    const parser = validator as unknown as { parse(value: unknown): unknown }
    return guarded((value) => parser.parse(value), accept)
  }
  if (typeof validator === 'function') {
    return guarded(validator as (value: unknown) => unknown, accept)
  }
  throw new TypeError(
    'validator must be a Standard Schema, an object with safeParse or parse, or a function that returns the value or throws',
  )
}

type CheckingProps = StandardProps & { validate: NonNullable<StandardProps['validate']> }
type SafeResult = { success: true; data: unknown } | { success: false; error: unknown }

function fromStandard(standard: CheckingProps): Validate {
  const { vendor } = standard
  const settle = (result: StandardResult): Validated =>
    result.issues ? { ok: false, issues: toIssues(result.issues, vendor) } : { ok: true, value: result.value }
  if (vendor === 'arktype') {
    // arktype morphs a copy that is frozen like the original, and would fail.
    return guarded(
      (value) => standard.validate(Object.isFrozen(value) ? structuredClone(value) : value),
      settle,
    )
  }
  return guarded((value) => standard.validate(value), settle)
}

function guarded<Answer>(
  ask: (value: unknown) => Answer | PromiseLike<Answer>,
  settle: (answer: Answer) => Validated,
): Validate {
  return (value) => {
    try {
      const answer = ask(value)
      if (!isPromiseLike(answer)) return settle(answer)
      return Promise.resolve(answer).then(settle).catch(fromThrown)
    } catch (error) {
      return fromThrown(error)
    }
  }
}

function accept(value: unknown): Validated {
  return { ok: true, value }
}

function fromSafeResult(result: SafeResult): Validated {
  return result.success ? accept(result.data) : fromThrown(result.error)
}

function fromThrown(error: unknown): Validated {
  const listed =
    error instanceof Error && 'issues' in error && Array.isArray(error.issues) ? error.issues : []
  const issues = toIssues(listed.filter(isLibraryIssue), '')
  return {
    ok: false,
    issues: issues.length > 0 ? issues : [{ path: '', message: 'was refused by its validator' }],
  }
}

function toIssues(found: readonly LibraryIssue[], vendor: string): Issue[] {
  return found.slice(0, maxIssues).map((issue) => ({
    path: toPointer((issue.path ?? []).map((step) => (typeof step === 'object' ? step.key : step))),
    message: withoutValue(issue, vendor),
  }))
}

/** The library's message without the tail in which arktype, valibot and zod 3 repeat the offending value. */
function withoutValue(issue: LibraryIssue, vendor: string): string {
  let message = String(issue.message)
  if (vendor === 'arktype') {
    const { problem } = issue as { problem?: unknown }
    message = (typeof problem === 'string' ? problem : message).replace(/ \(was (?!missing\))[^\n]*\)/g, '')
  } else {
    message = message.replace(/(?:,| but) received (.+)$/s, (tail, received: string) =>
      kindWords.has(received.toLowerCase()) ? tail : '',
    )
  }
  return truncateAfter(message, maxMessageLength)
}

function isLibraryIssue(value: unknown): value is LibraryIssue {
  return typeof value === 'object' && value !== null && 'message' in value && 'path' in value
}

function isPromiseLike<Type>(value: Type | PromiseLike<Type>): value is PromiseLike<Type> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  )
}
