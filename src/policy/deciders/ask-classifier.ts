import { cutWords } from '../../redaction/cut-words.js'
import {
  classifierRef,
  powersOf,
  type ClassifierAnswer,
  type ClassifierDefinition,
  type ClassifierRequest,
} from './classifier.js'
import type { ClassifierPower } from './classifier-record.js'
import { withinTime, type Timed } from './within-time.js'

/** The answer of a classifier, and its effect. */
export interface ClassifierOutcome {
  readonly classifierRef: string
  readonly can: readonly ClassifierPower[]
  /** Absent: it changes nothing. */
  readonly opinion: 'allow' | 'ask' | 'deny' | undefined
  readonly said: Timed<ClassifierAnswer>
}

const DEFAULT_TIMEOUT_MS = 5000
const DEFAULT_CONFIDENCE = 0.9
const NEVER = new AbortController().signal

/** Asks one classifier. A failure has no effect, unless the classifier must answer: then it counts as an ask. */
export function askClassifier(
  classifier: ClassifierDefinition,
  request: ClassifierRequest,
  { signal = NEVER }: { signal?: AbortSignal | undefined } = {},
): ClassifierOutcome | Promise<ClassifierOutcome> {
  const timeoutMs = classifier.timeoutMs ?? DEFAULT_TIMEOUT_MS
  const answered = withinTime((stop) => classifier.classify(request, stop), { timeoutMs, signal })
  return answered instanceof Promise
    ? answered.then((timed) => toOutcome(classifier, request, readAnswer(timed)))
    : toOutcome(classifier, request, readAnswer(answered))
}

function toOutcome(
  classifier: ClassifierDefinition,
  { text }: ClassifierRequest,
  said: Timed<ClassifierAnswer>,
): ClassifierOutcome {
  return {
    classifierRef: classifierRef(classifier),
    can: powersOf(classifier),
    opinion: said.ok ? opinionOf(classifier, said.value, text) : classifier.mustAnswer ? 'ask' : undefined,
    said,
  }
}

function opinionOf(
  { canApprove, canDeny, approveAt, denyAt }: ClassifierDefinition,
  { verdict, confidence }: ClassifierAnswer,
  text: string,
): ClassifierOutcome['opinion'] {
  switch (verdict) {
    case 'unsure':
      return undefined
    case 'unsafe':
      return canDeny === true && confidence >= (denyAt ?? DEFAULT_CONFIDENCE) ? 'deny' : 'ask'
    case 'safe': {
      // A classifier that saw nothing of the input cannot approve it.
      const mayApprove = canApprove === true && text.trim() !== ''
      return mayApprove && confidence >= (approveAt ?? DEFAULT_CONFIDENCE) ? 'allow' : undefined
    }
  }
}

const UNREADABLE = { ok: false, problem: 'gave no answer that can be read' } as const
const MAX_REASON_CHARS = 2000

function readAnswer(timed: Timed<ClassifierAnswer>): Timed<ClassifierAnswer> {
  if (!timed.ok) return timed
  try {
    const given: unknown = timed.value
    if (typeof given !== 'object' || given === null) return UNREADABLE
    const { verdict, confidence, reason } = given as Partial<ClassifierAnswer>
    if (verdict !== 'safe' && verdict !== 'unsafe' && verdict !== 'unsure') return UNREADABLE
    if (typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1)) return UNREADABLE
    const words = typeof reason === 'string' ? { reason: cutWords(reason, MAX_REASON_CHARS) } : {}
    return { ok: true, value: { verdict, confidence, ...words } }
  } catch {
    return UNREADABLE
  }
}
