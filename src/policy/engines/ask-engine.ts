import { cutWords } from '../../redaction/cut-words.js'
import { strayKey } from '../../platform/validation/check-options.js'
import type { Verdict } from '../decision.js'
import { withinTime, type Timed } from '../deciders/within-time.js'
import { enginePolicyRef, engineRef } from './engine-version.js'
import type { EngineAnswer, EngineRequest, PolicyEngine } from './policy-engine.js'

export interface AskEngineOptions {
  /** 2 seconds, unless the engine says otherwise. */
  timeoutMs?: number | undefined
  /** The call's signal: once the call is canceled, the engine's answer is not awaited. */
  signal?: AbortSignal | undefined
}

const DEFAULT_TIMEOUT_MS = 2000
const NEVER = new AbortController().signal

/** Asks one engine. Unreachable, late, broken, unreadable: each is a deny that says so. */
export function askEngine(
  engine: PolicyEngine,
  request: EngineRequest,
  { timeoutMs = engine.timeoutMs ?? DEFAULT_TIMEOUT_MS, signal = NEVER }: AskEngineOptions = {},
): Verdict | Promise<Verdict> {
  const answered = withinTime((stop) => engine.decide(request, stop), { timeoutMs, signal })
  return answered instanceof Promise
    ? answered.then((timed) => toVerdict(engine, timed))
    : toVerdict(engine, answered)
}

function toVerdict(engine: PolicyEngine, answered: Timed<EngineAnswer>): Verdict {
  const { name } = engine
  const ref = engineRef(engine)
  const denied = (message: string): Verdict => ({
    behavior: 'deny',
    source: 'toolcrib.engine',
    reason: { type: 'policy', message },
    policy_refs: [ref],
  })
  if (!answered.ok) return denied(`The policy engine "${name}" ${answered.problem}, so the call is denied.`)
  const stray = strayIn(answered.value)
  if (stray !== undefined) {
    return denied(`The answer of the policy engine "${name}" was refused, so the call is denied: ${stray}`)
  }
  const answer = readAnswer(answered.value)
  if (!answer) {
    return denied(`The policy engine "${name}" gave no answer that can be read, so the call is denied.`)
  }
  const { behavior, message, policyRefs } = answer
  const because = message ? `: ${message}` : '.'
  return {
    behavior,
    source: 'toolcrib.engine',
    reason: { type: 'policy', message: `The policy engine "${name}" says ${behavior}${because}` },
    policy_refs: [ref, ...(policyRefs ?? []).map((policy) => enginePolicyRef(ref, policy))],
  }
}

// Texts from outside are truncated before they are recorded.
const MAX_MESSAGE_CHARS = 2000
const MAX_REFS = 100

const KEYS = ['behavior', 'message', 'policyRefs'] as const satisfies readonly (keyof EngineAnswer)[]

/** An unknown key may be the one that was to make the call safe. */
function strayIn(given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  return strayKey('An engine’s answer', 'key', given, KEYS)
}

/** Reads each part once: a foreign object may return another value the second time, or throw. */
function readAnswer(given: unknown): EngineAnswer | undefined {
  try {
    if (typeof given !== 'object' || given === null) return undefined
    const { behavior, message, policyRefs } = given as Partial<EngineAnswer>
    if (behavior !== 'allow' && behavior !== 'ask' && behavior !== 'deny') return undefined
    const refs = Array.isArray(policyRefs)
      ? policyRefs.slice(0, MAX_REFS).filter((ref) => typeof ref === 'string')
      : []
    return {
      behavior,
      ...(typeof message === 'string' && { message: cutWords(message, MAX_MESSAGE_CHARS) }),
      ...(refs.length > 0 && { policyRefs: refs.map((ref) => cutWords(ref, MAX_MESSAGE_CHARS)) }),
    }
  } catch {
    return undefined
  }
}
