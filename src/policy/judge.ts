import { compileEffects, type EffectRules } from './rules/effect-rules.js'
import { compileTool, type CompiledTool } from './rules/compile-tool.js'
import { sayDoubt, type Doubt } from './commands/doubt.js'
import { ALLOW, DENY, type Entry } from './rules/entry.js'
import type { JudgedCall } from './judged-call.js'
import { judgeDefault, needsApproval } from './judge-default.js'
import { nameRule } from './name-rule.js'
import { namesTool } from './rules/means-tool.js'
import { fixedJudgement, type Judgement } from './judgement.js'
import { judgeRules, type RuleOutcome } from './judge-rules.js'
import { SURFACE_APPROVAL } from './surface-approval.js'
import { argumentAt } from './patterns/argument-condition.js'
import { findOwnCommand } from './commands/own-commands.js'
import { findProtected, type ProtectedHit, type ProtectedPaths } from './protected-paths.js'
import type { TouchedPath } from './commands/touched.js'
import type { Rule } from './rules/rule.js'
import type { RuleTool } from './rules/rule-tool.js'

/** Rules compiled once. Each tool's part is compiled when it is first judged. */
export interface RuleBook {
  readonly rules: readonly Rule[]
  readonly protectedPaths: ProtectedPaths
  /** Folders in which the callers of a session may work; none: anywhere. */
  foldersFor(session: string | undefined): readonly string[]
  readonly effects: EffectRules
  readonly hasWaivers: boolean
  /** Whether a read-only call is allowed wherever it reaches. */
  readonly openReads: boolean
  /** When it was created: waivers that last longer are in force. */
  readonly now: number
  forTool(tool: RuleTool): CompiledTool
  /** The same, with only those allow rules that name the tool itself: others do not lift a required approval. */
  namedFor(tool: RuleTool): CompiledTool
  /** The rules that are waived at present, compiled separately: what they would have decided is reported. */
  waivedFor(tool: RuleTool): CompiledTool
  readonly waivedEffects: EffectRules
}

export interface RuleBookOptions {
  rules: readonly Rule[]
  home: string
  protectedPaths: ProtectedPaths
  workingDirectories: readonly string[]
  sessionFolders?: ReadonlyMap<string, readonly string[]> | undefined
  openReads?: boolean | undefined
  /** Milliseconds: waivers that last longer are in force. */
  now: number
}

export function createRuleBook(options: RuleBookOptions): RuleBook {
  const { rules, home, protectedPaths, workingDirectories, sessionFolders, now } = options
  const isWaived = ({ waiver }: Rule): boolean => waiver !== undefined && waiver.until > now
  const inForce = rules.filter((rule) => !isWaived(rule))
  const waived = rules.filter(isWaived)
  const tools = new WeakMap<RuleTool, CompiledTool>()
  const namedTools = new WeakMap<RuleTool, CompiledTool>()
  const waivedTools = new WeakMap<RuleTool, CompiledTool>()
  const memo =
    (known: WeakMap<RuleTool, CompiledTool>, rulesFor: (tool: RuleTool) => readonly Rule[]) =>
    (tool: RuleTool) => {
      let compiled = known.get(tool)
      if (!compiled) known.set(tool, (compiled = compileTool(rulesFor(tool), tool, home)))
      return compiled
    }
  return {
    rules,
    protectedPaths,
    foldersFor(session) {
      const more = session === undefined ? undefined : sessionFolders?.get(session)
      return more ? [...workingDirectories, ...more] : workingDirectories
    },
    effects: compileEffects(inForce, home),
    hasWaivers: waived.length > 0,
    openReads: options.openReads ?? false,
    now,
    forTool: memo(tools, () => inForce),
    namedFor: memo(namedTools, (tool) =>
      inForce.filter((rule) => rule.behavior !== 'allow' || namesTool(rule, tool)),
    ),
    waivedFor: memo(waivedTools, () => waived),
    waivedEffects: compileEffects(waived, home),
  }
}

/** The outcome if there are no rules. */
const UNSPOKEN: RuleOutcome = Object.freeze({
  tight: undefined,
  allow: undefined,
  path: undefined,
  doubt: undefined,
  parts: 1,
})

/** Judges one call. Pure: it depends only on the rules and the known facts of the call. */
export function judge(book: RuleBook, call: JudgedCall): Judgement {
  const outcome = book.rules.length === 0 ? UNSPOKEN : judgeRules(rulesFor(book, call), book.effects, call)
  const waived = book.hasWaivers ? waivedRule(book, call, outcome) : undefined
  const decided = decide(book, call, outcome)
  return waived ? { ...decided, waived } : decided
}

/** Whether no rule and no protected path is against one more path of a call that may run. */
export function mayTouch(book: RuleBook, call: JudgedCall, path: TouchedPath): boolean {
  if (findProtected([path], book.protectedPaths)) return false
  if (book.rules.length === 0) return true
  const { read, write } = book.effects
  const ofTool = rulesFor(book, call).paths.find(path, call)
  if (ofTool && ofTool.rank > ALLOW) return false
  const ofEffect = (path.access === 'read' ? read : write).find(path, call)
  return !ofEffect || ofEffect.rank === ALLOW
}

function rulesFor(book: RuleBook, call: JudgedCall): CompiledTool {
  const { tool, facts } = call
  return needsApproval(tool, facts) ? book.namedFor(tool) : book.forTool(tool)
}

/** In this order: denies, asks that no allow lifts, allows, and the default. */
function decide(book: RuleBook, call: JudgedCall, outcome: RuleOutcome): Judgement {
  const { tight, allow, path, doubt, parts } = outcome
  if (tight?.rank === DENY) return byRule(tight, { path })
  const { touched, facts, mode } = call
  const guarded =
    touched && touched.paths.length > 0 ? findProtected(touched.paths, book.protectedPaths) : undefined
  if (guarded?.isOwn) return byProtection('deny', guarded)
  const own = touched?.command && findOwnCommand(touched.command)
  if (own) return byProtection('deny', { path: '', isOwn: true, message: own })
  if (mode === 'plan' && !facts.is_read_only) return PLAN
  if (tight) return withMode(byRule(tight, { path, doubt }), mode)
  if (guarded) return withMode(byProtection('ask', guarded), mode)
  if (touched?.isShifting) return withMode(SHIFTING, mode)
  if (touched?.isTooMuch) return withMode(TOO_MUCH, mode)
  if (leavesSandbox(call)) return withMode(SANDBOX, mode)
  if (facts.requires_user_interaction) return withMode(PERSON, mode)
  if (allow) return byRule(allow, { parts })
  return withMode(
    judgeDefault(call, {
      workingDirectories: book.foldersFor(call.session),
      openReads: book.openReads,
    }),
    mode,
  )
}

const PLAN = fixedJudgement('deny', 'mode', {
  type: 'mode',
  message: 'In plan mode only calls that are known to be read-only may run.',
})

const PERSON = fixedJudgement('ask', 'person', {
  type: 'safety_check',
  message: 'The tool needs a person.',
})

const SHIFTING = fixedJudgement('ask', 'protected', {
  type: 'safety_check',
  message:
    'The files that the call touches are known only while it runs: a path goes through a process or out of a link.',
})

const TOO_MUCH = fixedJudgement('ask', 'protected', {
  type: 'safety_check',
  message: 'The call has more arguments, or more deeply nested ones, than can be searched for paths.',
})

const SANDBOX = fixedJudgement('ask', 'protected', {
  type: 'sandbox_override',
  message: 'The call wants to run outside its sandbox.',
})

function leavesSandbox({ tool, input }: JudgedCall): boolean {
  const { sandboxOverride } = tool.fields
  if (sandboxOverride === undefined) return false
  const given = argumentAt(input, sandboxOverride)
  return given !== undefined && given !== null && given !== false
}

/** In the mode `dontAsk`, an ask becomes a deny. */
function withMode(judgement: Judgement, mode: string): Judgement {
  if (mode !== 'dontAsk' || (judgement.behavior !== 'ask' && judgement.behavior !== 'passthrough')) {
    return judgement
  }
  const message = `${judgement.reason.message} In this mode nobody is asked, so it is denied.`
  return { ...judgement, behavior: 'deny', reason: { type: 'mode', message } }
}

const judgements = new WeakMap<Entry, Judgement>()

function byRule(entry: Entry, more: Partial<Pick<RuleOutcome, 'path' | 'doubt' | 'parts'>>): Judgement {
  const { path, doubt, parts = 1 } = more
  const isSame = path === undefined && doubt === undefined && parts === 1
  const known = isSame ? judgements.get(entry) : undefined
  if (known) return known
  const { rule } = entry
  const judgement: Judgement = {
    behavior: BEHAVIORS[entry.rank],
    madeBy: 'rule',
    reason: { type: parts > 1 ? 'subcommand_results' : 'rule', message: saidBy(entry, doubt, parts) },
    rule,
    path,
    doubt: doubtAbout(entry, doubt),
    waived: undefined,
  }
  if (isSame) judgements.set(entry, judgement)
  return judgement
}

const BEHAVIORS = { 3: 'deny', 2: 'ask', 1: 'allow' } as const

/** Why it is open whether the rule matches: the call, or else a condition of the rule. */
function doubtAbout({ isMaybe, rule }: Entry, doubt: Doubt | undefined): Doubt | undefined {
  return isMaybe && rule.problem === undefined ? (doubt ?? CONDITION) : undefined
}

const CONDITION: Doubt = Object.freeze({ kind: 'condition' })

function saidBy(entry: Entry, doubt: Doubt | undefined, parts: number): string {
  const { rule } = entry
  const open = doubtAbout(entry, doubt)
  const named = `The ${nameRule(rule)}`
  if (rule.problem !== undefined) return `${named} cannot be read, so every call that it may match is denied.`
  if (open) return `${named} may be meant: ${sayDoubt(open)}`
  if (parts > 1) return `${named} and others cover all ${parts} parts of the command.`
  return rule.reason ? `${named} says: ${rule.reason}` : `${named} applies.`
}

/** The deny that no decider lifts: a call that touches Toolcrib's own settings, keys or records. */
export function judgeOwn(
  { protectedPaths }: RuleBook,
  { touched }: Pick<JudgedCall, 'touched'>,
): Judgement | undefined {
  const guarded =
    touched && touched.paths.length > 0 ? findProtected(touched.paths, protectedPaths) : undefined
  return guarded?.isOwn ? byProtection('deny', guarded) : undefined
}

/** The judgement of a call for which its surface requires approval, although a rule or mode allows it. */
export function judgeRequired(call: JudgedCall): Judgement {
  return withMode(REQUIRED, call.mode)
}

const REQUIRED = fixedJudgement('ask', 'protected', SURFACE_APPROVAL)

function byProtection(behavior: 'deny' | 'ask', { path, message }: ProtectedHit): Judgement {
  return {
    behavior,
    madeBy: 'protected',
    reason: { type: 'safety_check', message },
    rule: undefined,
    path: path === '' ? undefined : path,
    waived: undefined,
  }
}

function waivedRule(book: RuleBook, call: JudgedCall, outcome: RuleOutcome): Rule | undefined {
  const { tight } = judgeRules(book.waivedFor(call.tool), book.waivedEffects, call)
  if (!tight) return undefined
  return !outcome.tight || outcome.tight.rank < tight.rank ? tight.rule : undefined
}
