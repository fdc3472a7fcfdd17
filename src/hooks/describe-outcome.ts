import type { HookEvent } from '../contract/unions.js'
import type { HookAnswer, HookDefinition } from './hook.js'
import type { HookOutcome } from './run-hook.js'

/** What a run of a hook would lead to, in sentences. */
export function describeOutcome(hook: HookDefinition, outcome: HookOutcome): string[] {
  if (!outcome.ok) return [ofFailure(hook)]
  const { answer, ignored } = outcome
  const sentences = [...ofAnswer(answer, hook), ...ignored.map((field) => ofIgnored(field, hook.event))]
  return sentences.length > 0
    ? sentences
    : ['It has nothing to say: the call goes on as if it were not there.']
}

function ofIgnored(field: string, event: HookEvent): string {
  return `Its "${field}" would be ignored: it has no meaning at ${event}.`
}

function ofFailure({ event, onFailure }: HookDefinition): string {
  if (onFailure === 'continue') return 'The call would go on, and its result would tell of the problem.'
  switch (event) {
    case 'pre_tool_use':
      return onFailure === 'deny' ? 'The call would end here.' : 'The call would be asked about.'
    case 'permission_request':
      return onFailure === 'deny'
        ? 'The call would be denied.'
        : 'No other hook’s allow would replace the approval of a person.'
    case 'result_persistence':
      return onFailure === 'deny'
        ? 'The result would be withheld.'
        : 'The caller would get the result, and it would not be kept.'
    case 'permission_decision':
    case 'post_tool_use':
    case 'post_tool_use_failure':
      return 'The call would go on, and its result would tell of the problem.'
  }
}

function ofAnswer(answer: HookAnswer, hook: HookDefinition): string[] {
  const { permission, stop, updatedInput, updatedOutput, additionalContext, persistence } = answer
  const isRequest = hook.event === 'permission_request'
  const sentences: string[] = []
  if (stop) sentences.push(ofStop(hook.event, stop.reason))
  if (permission) sentences.push(ofPermission(permission.behavior, hook.isAuthoritative === true))
  if (updatedInput !== undefined)
    sentences.push(
      isRequest
        ? 'Its new input would not be taken, and a person asked: only a pre_tool_use hook may give one.'
        : 'The input would be replaced, then checked and judged again, if the tool lets hooks replace it.',
    )
  if (updatedOutput !== undefined)
    sentences.push('The output would be replaced, if it fits the tool’s schema.')
  if (additionalContext) sentences.push('The result would carry what it adds for the conversation.')
  if (persistence) sentences.push(ofPersistence(persistence))
  return sentences
}

function ofStop(event: HookEvent, reason: string): string {
  switch (event) {
    case 'post_tool_use':
    case 'result_persistence':
      return `The result would be withheld: ${reason}`
    case 'permission_request':
      return `The call would be denied: ${reason}`
    case 'pre_tool_use':
    case 'permission_decision':
    case 'post_tool_use_failure':
      return `The call would end here: ${reason}`
  }
}

function ofPermission(behavior: string, isAuthoritative: boolean): string {
  switch (behavior) {
    case 'allow':
      return isAuthoritative
        ? 'The call would run unless something denies it or another hook asks.'
        : 'The call would run if nothing denies it and only the default asks about it.'
    case 'deny':
      return 'The call would be denied.'
    case 'passthrough':
      return 'The decision would be left to the others.'
    default:
      return 'The call would be asked about.'
  }
}

function ofPersistence({ strategy, fields }: NonNullable<HookAnswer['persistence']>): string {
  switch (strategy) {
    case 'redact':
      return fields
        ? `These fields would be taken out of the result: ${fields.join(', ')}.`
        : 'All of the result would be taken out.'
    case 'never_persist':
      return 'The caller would get the result, and it would not be kept.'
    case 'drop_with_reason':
      return 'No one would get the result.'
  }
}
