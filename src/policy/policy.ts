import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { RuleSource } from '../contract/unions.js'
import { canonicalJson } from '../platform/json/canonical-json.js'
import type { PermissionRequest, Verdict } from './decision.js'
import { considerRules, whatWouldChange, type Explanation } from './explain.js'
import { createRuleBook, judge, judgeOwn, mayTouch, type RuleBook } from './judge.js'
import type { Judgement } from './judgement.js'
import type { JudgedCall } from './judged-call.js'
import { compileHiders, hidingRule, type Caller } from './rules/hiding-rule.js'
import { hostRule, type HostUser } from './rules/host-rule.js'
import { parseMode, stricterMode, type PermissionMode } from './permission-mode.js'
import { isOwnPlace, type ProtectedPaths } from './protected-paths.js'
import type { TouchedPath } from './commands/touched.js'
import type { Rule } from './rules/rule.js'
import type { RuleTool } from './rules/rule-tool.js'
import { waiverVersionRef } from './rules/rule-version.js'
import { applyUpdate, type PolicyContent, type RuleUpdate } from './rules/rule-update.js'
import { ownVerdict } from './deciders/read-verdict.js'
import { suggestUpdates } from './suggest-updates.js'
import { verdictOf } from './deciders/verdict-of.js'

export interface PolicyOptions extends PolicyContent {
  readonly home: string
  readonly protectedPaths: ProtectedPaths
  /** What `./` means in rules that are added to a source later. */
  baseOf(source: RuleSource): string
  readonly now: () => number
  /** Whether a call that is declared read-only is allowed wherever it reaches. */
  readonly openReads?: boolean | undefined
  /** Called when a waiver has expired, so that its rule is in force again. */
  readonly onWaiverEnd?: (() => void) | undefined
}

/** The rules in force, and all questions about them. */
export interface Policy {
  /** Changes with everything that could change a decision. */
  readonly revision: string
  readonly mode: PermissionMode
  /** The mode of a call. The general mode `plan` always wins; otherwise the surface's mode comes first. */
  modeFor(session: string | undefined, asked?: string): PermissionMode
  readonly rules: readonly Rule[]
  readonly workingDirectories: readonly string[]
  judge(call: JudgedCall): Judgement
  /** The judgement as a verdict, with suggested updates if it asks. */
  decide(request: PermissionRequest): Verdict
  explain(call: JudgedCall): Explanation
  /** The deny that hides a tool from this caller. */
  hidingRule(tool: RuleTool, caller: Caller): Rule | undefined
  /** The deny or ask about a host that something other than a tool talks to. */
  hostRule(user: HostUser, caller: Caller): Rule | undefined
  /** Whether a deny might hide a tool of this name: a fast check before the exact one. */
  mayHide(name: string): boolean
  /** The deny that holds for every decider: the call touches Toolcrib's own settings, keys or records. */
  refuseOwn(request: PermissionRequest): Verdict | undefined
  /** Whether a call that may run may also touch this path, which its input does not name. */
  mayTouch(call: JudgedCall, path: TouchedPath): boolean
  /** Whether it is a protected path of Toolcrib or lies below one. */
  isOwn(path: string): boolean
  /** Whether a protected path of Toolcrib has this name. */
  isOwnName(name: string): boolean
  /** Whether any rule about paths may apply to a call of this tool. */
  hasPathRules(tool: RuleTool): boolean
  /** Replaces the content. */
  replace(content: PolicyContent): void
}

export function createPolicy(options: PolicyOptions): Policy {
  const { home, protectedPaths, baseOf, now, onWaiverEnd, openReads, ...content } = options
  const ownNames = new Set(
    [...protectedPaths.own, ...(protectedPaths.secret ?? [])].map((place) => basename(place)),
  )
  let present: PolicyContent = content
  let book = bookOf(present)
  let verdicts = new WeakMap<Judgement, Verdict>()
  let revision: string | undefined
  let hides: ((name: string) => boolean) | undefined
  let waiverEnds = nextWaiverEnd(present.rules, book.now)

  function bookOf({ rules, workingDirectories, sessionFolders }: PolicyContent): RuleBook {
    return createRuleBook({
      rules,
      workingDirectories,
      sessionFolders,
      openReads,
      home,
      protectedPaths,
      now: now(),
    })
  }

  function replace(next: PolicyContent): void {
    present = next
    book = bookOf(next)
    verdicts = new WeakMap()
    revision = undefined
    hides = undefined
    waiverEnds = nextWaiverEnd(next.rules, book.now)
  }

  // The rule of an expired waiver is in force again.
  function current(): RuleBook {
    if (waiverEnds !== undefined && now() >= waiverEnds) {
      replace(present)
      onWaiverEnd?.()
    }
    return book
  }

  function revisionOf(): string {
    const { now: madeAt } = current()
    return (revision ??= hashOf(present, madeAt))
  }

  function modeFor(session: string | undefined, asked?: string): PermissionMode {
    const general = modeIn(present, session)
    const wanted = asked !== undefined && general !== 'plan' ? parseMode(asked) : undefined
    return stricterMode(wanted ?? general, present.modeLimit)
  }

  function simulate(call: JudgedCall): (update: RuleUpdate) => Judgement {
    // If the call's surface has a mode of its own, another general mode changes nothing.
    const isGeneral = call.mode === modeFor(call.session)
    return (update) => {
      const next = applyUpdate(present, update, baseOf(update.destination))
      const isOther = update.type === 'set_mode' && isGeneral
      const mode = isOther ? stricterMode(update.mode, present.modeLimit) : call.mode
      return judge(bookOf(next), withMode(call, mode))
    }
  }

  function offers(call: JudgedCall, judgement: Judgement): RuleUpdate[] {
    return suggestUpdates(call, judgement, { baseOf, simulate: simulate(call) })
  }

  return {
    get revision() {
      return revisionOf()
    },
    get mode() {
      return present.mode
    },
    modeFor,
    get rules() {
      return present.rules
    },
    get workingDirectories() {
      return present.workingDirectories
    },
    judge: (call) => judge(current(), call),
    decide(request) {
      const judgement = judge(current(), request)
      let verdict = verdicts.get(judgement)
      if (!verdict) {
        const refs = present.rules.length > 0 ? [`policy:${revisionOf()}`] : []
        verdicts.set(judgement, (verdict = verdictOf(judgement, refs)))
      }
      if (judgement.behavior !== 'ask' && judgement.behavior !== 'passthrough') return verdict
      const updates = offers(request, judgement)
      if (updates.length === 0) return verdict
      return ownVerdict({ ...verdict, suggested_updates: updates.map((update) => ({ ...update })) })
    },
    refuseOwn(request) {
      const judgement = judgeOwn(book, request)
      return judgement && verdictOf(judgement, [])
    },
    mayTouch: (call, path) => mayTouch(current(), call, path),
    isOwn: (path) => isOwnPlace(path, protectedPaths),
    isOwnName: (name) => ownNames.has(name),
    hasPathRules(tool) {
      if (present.rules.length === 0) return false
      const { effects, forTool } = current()
      return effects.read.size > 0 || effects.write.size > 0 || forTool(tool).paths.size > 0
    },
    explain(call) {
      const judgement = judge(current(), call)
      const considered = considerRules(book, call, home)
      const updates = offers(call, judgement)
      return {
        judgement,
        considered,
        suggestedUpdates: updates,
        whatWouldChange: whatWouldChange(judgement, considered, updates),
      }
    },
    hidingRule: (tool, caller) => hidingRule(current(), tool, caller),
    hostRule: (user, caller) => hostRule(current(), user, caller),
    mayHide: (name) => (hides ??= compileHiders(current().rules))(name),
    replace,
  }
}

function modeIn({ mode, sessionModes }: PolicyContent, session: string | undefined): PermissionMode {
  if (sessionModes === undefined || sessionModes.size === 0) return mode
  return (session === undefined ? undefined : sessionModes.get(session)) ?? sessionModes.get('*') ?? mode
}

function withMode(call: JudgedCall, mode: string): JudgedCall {
  const { tool, input, facts, touched, workspace, actor, role, session, surfaceId, tenant } = call
  return { tool, input, facts, touched, workspace, mode, actor, role, session, surfaceId, tenant }
}

function nextWaiverEnd(rules: readonly Rule[], now: number): number | undefined {
  const ends = rules.flatMap(({ waiver }) => (waiver && waiver.until > now ? [waiver.until] : []))
  return ends.length > 0 ? Math.min(...ends) : undefined
}

function hashOf(content: PolicyContent, now: number): string {
  const { rules, mode, modeLimit, workingDirectories, sessionModes, sessionFolders } = content
  const said = rules.map(({ ref, when, base, reason, problem, waiver }) => [
    ref,
    when ?? null,
    base,
    reason ?? null,
    problem ?? null,
    waiver && waiver.until > now ? waiverVersionRef(waiver) : null,
  ])
  const ofSessions = [[...(sessionModes ?? [])], [...(sessionFolders ?? [])]]
  const text = canonicalJson([said, mode, modeLimit ?? null, workingDirectories, ofSessions])
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
