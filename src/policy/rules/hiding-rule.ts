import { DENY } from './entry.js'
import { familiarName } from './familiar-names.js'
import type { JudgedCall } from '../judged-call.js'
import type { RuleBook } from '../judge.js'
import type { Rule } from './rule.js'
import type { RuleTool } from './rule-tool.js'
import { foldName } from './fold-name.js'
import { toNameTest } from './name-test.js'

/** Who would see the tool. */
export type Caller = Pick<JudgedCall, 'mode' | 'actor' | 'role' | 'session' | 'surfaceId' | 'tenant'>

// What depends on a call's facts or input can hide nothing: there is no call yet.
const NO_CALL = Object.freeze({
  is_read_only: false,
  is_destructive: false,
  is_open_world: true,
  is_concurrency_safe: false,
  requires_user_interaction: false,
  origins: Object.freeze({ is_read_only: 'default', is_destructive: 'default', is_open_world: 'default' }),
})

/** The deny without a specifier that holds for every call of this tool by this caller. */
export function hidingRule(book: RuleBook, tool: RuleTool, caller: Caller): Rule | undefined {
  const call: JudgedCall = {
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
  const found = book.forTool(tool).callers.find(call)
  return found?.rank === DENY ? found.rule : undefined
}

/** Whether any deny without a specifier could mean a tool of this name. Exact names cost one look-up. */
export function compileHiders(rules: readonly Rule[]): (name: string) => boolean {
  const exact = new Set<string>()
  const patterns: ((name: string) => boolean)[] = []
  for (const rule of rules) {
    const { behavior, problem, specifier, tool } = rule
    const denies = behavior === 'deny' || (behavior === 'ask' && problem !== undefined)
    if (!denies || specifier !== undefined) continue
    // A familiar name means a kind of tool, not a name: every tool has to be looked at.
    if (familiarName(rule)) return () => true
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
