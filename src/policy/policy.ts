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
  return new RulePolicy(options)
}

// A class, because every call reads it: an object that has accessors of its own is slow to read.
class RulePolicy implements Policy {
  readonly #options: PolicyOptions
  readonly #ownNames: ReadonlySet<string>
  #present: PolicyContent
  #book: RuleBook
  #verdicts = new WeakMap<Judgement, Verdict>()
  /** The last ones: calls of one tool are often judged alike, and the map is asked at a cost. */
  #lastJudgement: Judgement | undefined = undefined
  #lastVerdict: Verdict | undefined = undefined
  #revision: string | undefined = undefined
  #hides: ((name: string) => boolean) | undefined = undefined
  #waiverEnds: number | undefined

  constructor(options: PolicyOptions) {
    const {
      home: _h,
      protectedPaths,
      baseOf: _b,
      now: _n,
      onWaiverEnd: _w,
      openReads: _o,
      ...content
    } = options
    this.#options = options
    this.#ownNames = new Set(
      [...protectedPaths.own, ...(protectedPaths.secret ?? [])].map((place) => basename(place)),
    )
    this.#present = content
    this.#book = this.#bookOf(content)
    this.#waiverEnds = nextWaiverEnd(content.rules, this.#book.now)
  }

  // These three are handed on without the policy.
  readonly isOwn = (path: string): boolean => isOwnPlace(path, this.#options.protectedPaths)
  readonly isOwnName = (name: string): boolean => this.#ownNames.has(name)
  readonly modeFor = (session: string | undefined, asked?: string): PermissionMode => {
    const general = modeIn(this.#present, session)
    const wanted = asked !== undefined && general !== 'plan' ? parseMode(asked) : undefined
    return stricterMode(wanted ?? general, this.#present.modeLimit)
  }

  get revision(): string {
    const { now: madeAt } = this.#current()
    return (this.#revision ??= hashOf(this.#present, madeAt))
  }

  get mode(): PermissionMode {
    return this.#present.mode
  }

  get rules(): readonly Rule[] {
    return this.#present.rules
  }

  get workingDirectories(): readonly string[] {
    return this.#present.workingDirectories
  }

  #bookOf({ rules, workingDirectories, sessionFolders }: PolicyContent): RuleBook {
    const { home, protectedPaths, now, openReads } = this.#options
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

  // The rule of an expired waiver is in force again.
  #current(): RuleBook {
    if (this.#waiverEnds !== undefined && this.#options.now() >= this.#waiverEnds) {
      this.replace(this.#present)
      this.#options.onWaiverEnd?.()
    }
    return this.#book
  }

  #simulate(call: JudgedCall): (update: RuleUpdate) => Judgement {
    const present = this.#present
    // If the call's surface has a mode of its own, another general mode changes nothing.
    const isGeneral = call.mode === this.modeFor(call.session)
    return (update) => {
      const next = applyUpdate(present, update, this.#options.baseOf(update.destination))
      const isOther = update.type === 'set_mode' && isGeneral
      const mode = isOther ? stricterMode(update.mode, present.modeLimit) : call.mode
      return judge(this.#bookOf(next), withMode(call, mode))
    }
  }

  #offers(call: JudgedCall, judgement: Judgement): RuleUpdate[] {
    return suggestUpdates(call, judgement, {
      baseOf: this.#options.baseOf,
      simulate: this.#simulate(call),
    })
  }

  replace(next: PolicyContent): void {
    this.#present = next
    this.#book = this.#bookOf(next)
    this.#verdicts = new WeakMap()
    this.#lastJudgement = this.#lastVerdict = undefined
    this.#revision = undefined
    this.#hides = undefined
    this.#waiverEnds = nextWaiverEnd(next.rules, this.#book.now)
  }

  judge(call: JudgedCall): Judgement {
    return judge(this.#current(), call)
  }

  decide(request: PermissionRequest): Verdict {
    const judgement = judge(this.#current(), request)
    const verdict = this.#verdictOf(judgement)
    if (judgement.behavior !== 'ask' && judgement.behavior !== 'passthrough') return verdict
    const updates = this.#offers(request, judgement)
    if (updates.length === 0) return verdict
    return ownVerdict({ ...verdict, suggested_updates: updates.map((update) => ({ ...update })) })
  }

  #verdictOf(judgement: Judgement): Verdict {
    if (judgement === this.#lastJudgement) return this.#lastVerdict!
    let verdict = this.#verdicts.get(judgement)
    if (!verdict) {
      const refs = this.#present.rules.length > 0 ? [`policy:${this.revision}`] : []
      this.#verdicts.set(judgement, (verdict = verdictOf(judgement, refs)))
    }
    this.#lastJudgement = judgement
    this.#lastVerdict = verdict
    return verdict
  }

  refuseOwn(request: PermissionRequest): Verdict | undefined {
    const judgement = judgeOwn(this.#book, request)
    return judgement && verdictOf(judgement, [])
  }

  mayTouch(call: JudgedCall, path: TouchedPath): boolean {
    return mayTouch(this.#current(), call, path)
  }

  hasPathRules(tool: RuleTool): boolean {
    if (this.#present.rules.length === 0) return false
    const { effects, forTool } = this.#current()
    return effects.read.size > 0 || effects.write.size > 0 || forTool(tool).paths.size > 0
  }

  explain(call: JudgedCall): Explanation {
    const judgement = judge(this.#current(), call)
    const considered = considerRules(this.#book, call, this.#options.home)
    const updates = this.#offers(call, judgement)
    return {
      judgement,
      considered,
      suggestedUpdates: updates,
      whatWouldChange: whatWouldChange(judgement, considered, updates),
    }
  }

  hidingRule(tool: RuleTool, caller: Caller): Rule | undefined {
    return hidingRule(this.#current(), tool, caller)
  }

  hostRule(user: HostUser, caller: Caller): Rule | undefined {
    return hostRule(this.#current(), user, caller)
  }

  mayHide(name: string): boolean {
    return (this.#hides ??= compileHiders(this.#current().rules))(name)
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
