import { DENY } from './entry.js'
import { agentToolName } from './agent-tool-names.js'
import type { JudgedCall } from '../judged-call.js'
import type { RuleBook } from '../judge.js'
import type { Rule } from './rule.js'
import type { RuleTool } from './rule-tool.js'
import { foldName } from './fold-name.js'
import { toNameTest } from './name-test.js'

/** The caller who would see the tool. */
export type Caller = Pick<JudgedCall, 'mode' | 'actor' | 'role' | 'session' | 'surfaceId' | 'tenant'>

// Rules that depend on a call's facts or input hide nothing: there is no call yet.
const NO_CALL = Object.freeze({
  is_read_only: false,
  is_destructive: false,
  is_open_world: true,
  is_concurrency_safe: false,
  requires_user_interaction: false,
  origins: Object.freeze({ is_read_only: 'default', is_destructive: 'default', is_open_world: 'default' }),
})

/** The deny without a specifier that applies to every call of this tool by this caller. */
export function hidingRule(book: RuleBook, tool: RuleTool, caller: Caller): Rule | undefined {
  const found = book.forTool(tool).callers.find(callWithoutInput(tool, caller))
  return found?.rank === DENY ? found.rule : undefined
}

export function callWithoutInput(tool: RuleTool, caller: Caller): JudgedCall {
  return {
    tool,
    input: undefined,
    facts: NO_CALL,
    touched: undefined,
    workspace: '',
    mode: caller.mode,
    actor: caller.actor,
    role: caller.role,
    session: caller.session,
    surfaceId: caller.surfaceId,
    tenant: caller.tenant,
  }
}

/** Whether any deny without a specifier could match a tool of this name. Exact names cost one look-up. */
export function compileHiders(rules: readonly Rule[]): (name: string) => boolean {
  const exact = new Set<string>()
  const patterns: ((name: string) => boolean)[] = []
  for (const rule of rules) {
    const { behavior, problem, specifier, tool } = rule
    const denies = behavior === 'deny' || (behavior === 'ask' && problem !== undefined)
    if (!denies || specifier !== undefined) continue
    // A coding agent's name means a kind of tool: every tool has to be checked.
    if (agentToolName(rule)) return () => true
    const folded = foldName(tool)
    const { test, isExact } = toNameTest(folded)
    if (isExact) exact.add(folded)
    else patterns.push(test)
  }
  if (exact.size === 0 && patterns.length === 0) return () => false
  return (name) => {
    const folded = foldName(name)
    return exact.has(folded) || patterns.some((test) => test(folded))
  }
}
