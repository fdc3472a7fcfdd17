import type { HookEvent } from '../contract/unions.js'
import { isObject } from '../platform/json/is-object.js'
import { truncateAfter } from '../platform/text/truncate.js'
import type { HookAnswer } from './hook.js'
import { PROTOCOL_EVENTS } from './protocol-input.js'
import { ProtocolFields } from './protocol-fields.js'
import { stricterBehavior } from './stricter-behavior.js'

export interface ProtocolOutput {
  answer: HookAnswer
  /** Names of unknown fields. */
  ignored: string[]
}

const MAX_IGNORED = 20
const MAX_NAME_CHARS = 60

/** What a command printed or an endpoint answered. Throws if it cannot be read: it may have been meant as a deny. */
export function fromProtocolOutput(bytes: Uint8Array, event: HookEvent): ProtocolOutput {
  const text = decode(bytes)
  if (text.trim() === '') return { answer: {}, ignored: [] }
  const output = new ProtocolFields(parseObject(text), '')
  const specific = new ProtocolFields(output.object('hookSpecificOutput') ?? {}, 'hookSpecificOutput.')
  const answer: HookAnswer = {}
  take(answer, 'message', output.text('systemMessage'))
  take(answer, 'progress', output.text('progress') ?? specific.text('progress'))
  output.flag('suppressOutput')
  const reason = output.text('reason')
  const isStopped = output.flag('continue') === false
  const stopReason = output.text('stopReason')
  if (isStopped) answer.stop = { reason: stopReason ?? reason ?? 'no reason given' }

  const named = specific.text('hookEventName')
  if (named !== undefined && named !== PROTOCOL_EVENTS[event])
    throw new Error(`it answered for the event "${named}", but was asked at ${PROTOCOL_EVENTS[event]}`)
  const older = ofDecision(output.oneOf('decision', ['block', 'approve']), reason, event)
  const parts = [answer, older, ofSpecific(specific), ofRequest(specific)]
  const ignored = [...output.unread(), ...specific.unread()]
  return {
    answer: parts.reduce(join),
    ignored: ignored.slice(0, MAX_IGNORED).map((name) => truncateAfter(name, MAX_NAME_CHARS)),
  }
}

/** Two answers as one: the stricter permission, and everything that was added. */
function join(a: HookAnswer, b: HookAnswer): HookAnswer {
  const both: HookAnswer = { ...a, ...b }
  if (a.permission && b.permission)
    both.permission =
      stricterBehavior(a.permission.behavior, b.permission.behavior) === a.permission.behavior
        ? a.permission
        : b.permission
  if (a.additionalContext && b.additionalContext)
    both.additionalContext = [a.additionalContext, b.additionalContext].flat()
  return both
}

function ofSpecific(specific: ProtocolFields): HookAnswer {
  const answer: HookAnswer = {}
  const behavior = specific.oneOf('permissionDecision', ['allow', 'ask', 'deny', 'passthrough', 'defer'])
  const message = specific.text('permissionDecisionReason')
  if (behavior !== undefined)
    answer.permission = toPermission(behavior === 'defer' ? 'passthrough' : behavior, message)
  take(answer, 'updatedInput', specific.any('updatedInput'))
  take(answer, 'additionalContext', specific.texts('additionalContext'))
  const remote = specific.any('updatedMCPToolOutput')
  take(answer, 'updatedOutput', specific.any('updatedOutput') ?? remote)
  // Its parts are read in the same place as those of all answers.
  take(answer, 'persistence', specific.object('persistence') as HookAnswer['persistence'])
  return answer
}

/** How a coding agent's hook answers in place of a person. */
function ofRequest(specific: ProtocolFields): HookAnswer {
  const given = specific.object('decision')
  if (!given) return {}
  const decision = new ProtocolFields(given, 'hookSpecificOutput.decision.')
  const behavior = decision.oneOf('behavior', ['allow', 'deny'])
  if (behavior === undefined) throw new Error('its output has a decision without a "behavior"')
  const answer: HookAnswer = { permission: toPermission(behavior, decision.text('message')) }
  take(answer, 'updatedInput', decision.any('updatedInput'))
  specific.adopt(decision)
  return answer
}

/** The older form. Before a call it is a permission; after it, the reason is feedback for the model. */
function ofDecision(
  decision: 'block' | 'approve' | undefined,
  reason: string | undefined,
  event: HookEvent,
): HookAnswer {
  if (decision === undefined) return {}
  if (decision === 'block') return blockedAt(event, reason)
  if (event !== 'pre_tool_use' && event !== 'permission_request') return {}
  return { permission: toPermission('allow', reason) }
}

/** The meaning of a block at each event. */
export function blockedAt(event: HookEvent, reason: string | undefined): HookAnswer {
  switch (event) {
    case 'pre_tool_use':
    case 'permission_request':
      return { permission: toPermission('deny', reason) }
    case 'post_tool_use':
    case 'post_tool_use_failure':
      return { additionalContext: [reason ?? 'A hook objects to this result and gives no reason.'] }
    case 'permission_decision':
      return { message: reason ?? 'A hook objects to this decision and gives no reason.' }
    case 'result_persistence':
      return { persistence: { strategy: 'never_persist', reason: reason ?? 'no reason given' } }
  }
}

type Permission = NonNullable<HookAnswer['permission']>

function toPermission(behavior: Permission['behavior'], message: string | undefined): Permission {
  return { behavior, ...(message !== undefined && { message }) }
}

function take<Key extends keyof HookAnswer>(
  answer: HookAnswer,
  key: Key,
  value: HookAnswer[Key] | undefined,
): void {
  if (value !== undefined) answer[key] = value
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error('it answered with something that is not UTF-8 text')
  }
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error('it answered with something that is not JSON')
  }
  if (!isObject(value)) throw new Error('it answered with JSON that is no object')
  return value
}
