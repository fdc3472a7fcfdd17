import { nearestWord } from '../platform/config/nearest-word.js'
import { hookEvents } from '../contract/unions.js'
import { checkOptions, type OptionKind } from '../platform/validation/check-options.js'
import type { HookDefinition } from './hook.js'
import { compileConditions, compileMatcher } from './match-hook.js'

const HOOK_OPTIONS = {
  id: 'text',
  event: 'text',
  tools: 'texts',
  matcher: 'text',
  when: 'any',
  timeoutMs: 'positive',
  order: 'number',
  onFailure: 'text',
  isAuthoritative: 'boolean',
  transport: 'text',
  asks: 'object',
  run: 'function',
} as const satisfies Record<keyof HookDefinition, OptionKind>

/** Throws one sentence about a hook that would never run: it would protect nothing. */
export function checkHook(hook: HookDefinition): void {
  checkOptions('A hook', hook, HOOK_OPTIONS)
  const { id, event, run } = hook
  if (!id) throw new TypeError('A hook needs an "id": a text by which records name it.')
  if (!(hookEvents as readonly unknown[]).includes(event)) {
    const near = nearestWord(
      String(event).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      [...hookEvents],
    )
    const hint = near ? `did you mean "${near}"?` : `there are ${hookEvents.join(', ')}.`
    throw new TypeError(`The hook "${id}" has the event "${String(event)}", which there is not; ${hint}`)
  }
  if (!run) throw new TypeError(`The hook "${id}" has no "run": give it a function of the call.`)
  checkMatching(hook)
  checkDeciding(hook)
}

function checkMatching({ id, tools, matcher, when }: HookDefinition): void {
  if (tools && matcher !== undefined)
    throw new TypeError(`The hook "${id}" has both "tools" and "matcher"; give one of them.`)
  try {
    if (matcher !== undefined) compileMatcher(matcher)
    if (when !== undefined) compileConditions(when)
  } catch (error) {
    throw new TypeError(`The hook "${id}" ${(error as Error).message}`, { cause: error })
  }
}

/** What each event can make of a failure; the other events decide nothing. */
const FAILURES: Partial<Record<HookDefinition['event'], readonly string[]>> = {
  pre_tool_use: ['ask', 'deny', 'continue'],
  permission_request: ['ask', 'deny', 'continue'],
  post_tool_use: ['deny', 'continue'],
  result_persistence: ['deny', 'continue'],
}

function checkDeciding({ id, event, onFailure, isAuthoritative }: HookDefinition): void {
  if (onFailure !== undefined && !FAILURES[event]?.includes(onFailure)) {
    const known = FAILURES[event]?.map((each) => `"${each}"`).join(' or ')
    throw new TypeError(
      known
        ? `The hook "${id}" has the "onFailure" "${onFailure}"; at ${event} it must be ${known}.`
        : `The hook "${id}" has an "onFailure", but a hook at ${event} decides nothing; leave it out.`,
    )
  }
  if (isAuthoritative && event !== 'pre_tool_use' && event !== 'permission_request') {
    throw new TypeError(
      `The hook "${id}" is authoritative, but a hook at ${event} allows nothing; leave it out.`,
    )
  }
}
