import { compileEffects, type EffectRules } from './rules/effect-rules.js'
import { compileTool, type CompiledTool } from './rules/compile-tool.js'
import { sayDoubt, type Doubt } from './commands/doubt.js'
import { DENY, type Entry } from './rules/entry.js'
import type { JudgedCall } from './judged-call.js'
import { judgeDefault } from './judge-default.js'
import { namesTool } from './rules/means-tool.js'
import { needsApproval } from './needs-approval.js'
import { fixedJudgement, type Judgement } from './judgement.js'
import { judgeRules, type RuleOutcome } from './judge-rules.js'
import { SURFACE_APPROVAL } from './surface-approval.js'
import { argumentAt } from './patterns/argument-condition.js'
import { findOwnCommand } from './commands/own-commands.js'
import { findProtected, type ProtectedHit, type ProtectedPaths } from './protected-paths.js'
import type { Rule } from './rules/rule.js'
import type { RuleTool } from './rules/rule-tool.js'

/** Rules compiled once. Each tool's part is made when it is first judged. */
export interface RuleBook {
  readonly rules: readonly Rule[]
  readonly places: ProtectedPaths
  /** Folders in which the callers of a session may work; none: anywhere. */
  foldersFor(session: string | undefined): readonly string[]
  readonly effects: EffectRules
  readonly hasWaivers: boolean
  /** Whether what only reads passes wherever it reaches. */
  readonly openReads: boolean
  /** When it was made: waivers that last longer hold. */
  readonly now: number
  forTool(tool: RuleTool): CompiledTool
  /** The same, of allow rules only those that name the tool itself: the others do not approve what wants to be approved. */
  namedFor(tool: RuleTool): CompiledTool
  /** The rules that are waived at present, compiled apart: what they would have said is told. */
  waivedFor(tool: RuleTool): CompiledTool
  readonly waivedEffects: EffectRules
}

export interface RuleBookOptions {
  rules: readonly Rule[]
  home: string
  places: ProtectedPaths
  workingDirectories: readonly string[]
  sessionFolders?: ReadonlyMap<string, readonly string[]> | undefined
  openReads?: boolean | undefined
  /** Milliseconds: waivers that last longer than this hold. */
  now: number
}

export function createRuleBook(options: RuleBookOptions): RuleBook {
  const { rules, home, places, workingDirectories, sessionFolders, now } = options
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
    places,
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

/** What rules say where there are none. */
const UNSPOKEN: RuleOutcome = Object.freeze({
  tight: undefined,
  allow: undefined,
  path: undefined,
  doubt: undefined,
  parts: 1,
})

/** Judges one call. Pure: nothing but the rules and what is known of the call enters. */
export function judge(book: RuleBook, call: JudgedCall): Judgement {
  const outcome = book.rules.length === 0 ? UNSPOKEN : judgeRules(rulesFor(book, call), book.effects, call)
  const waived = book.hasWaivers ? waivedRule(book, call, outcome) : undefined
  const decided = decide(book, call, outcome)
  return waived ? { ...decided, waived } : decided
}

function rulesFor(book: RuleBook, call: JudgedCall): CompiledTool {
  return needsApproval(call) ? book.namedFor(call.tool) : book.forTool(call.tool)
}

/** In this order: what refuses, what asks whoever else allows, what allows, and what nobody spoke about. */
function decide(book: RuleBook, call: JudgedCall, outcome: RuleOutcome): Judgement {
  const { tight, allow, path, doubt, parts } = outcome
  if (tight?.rank === DENY) return byRule(tight, { path })
  const { touched, facts, mode } = call
  const guarded = touched && touched.paths.length > 0 ? findProtected(touched.paths, book.places) : undefined
  if (guarded?.isOwn) return byProtection('deny', guarded)
  const own = touched?.command && findOwnCommand(touched.command)
  if (own) return byProtection('deny', { path: '', isOwn: true, message: own })
  if (mode === 'plan' && !facts.is_read_only) return PLAN
  if (tight) return withMode(byRule(tight, { path, doubt }), call)
  if (guarded) return withMode(byProtection('ask', guarded), call)
  if (touched?.isShifting) return withMode(SHIFTING, call)
  if (touched?.isTooMuch) return withMode(TOO_MUCH, call)
  if (leavesSandbox(call)) return withMode(SANDBOX, call)
  if (facts.requires_user_interaction) return withMode(PERSON, call)
  if (allow) return byRule(allow, { parts })
  return withMode(
    judgeDefault(call, {
      workingDirectories: book.foldersFor(call.session),
      openReads: book.openReads,
    }),
    call,
  )
}

const PLAN = fixedJudgement('deny', 'mode', {
  type: 'mode',
  message: 'In plan mode only what is known to read may run.',
})

const PERSON = fixedJudgement('ask', 'person', {
  type: 'safety_check',
  message: 'The tool needs a person.',
})

const SHIFTING = fixedJudgement('ask', 'protected', {
  type: 'safety_check',
  message: 'Which files it means shows only while it runs: it goes through a process or out of a link.',
})

const TOO_MUCH = fixedJudgement('ask', 'protected', {
  type: 'safety_check',
  message: 'It has more arguments, or deeper ones, than can be searched for paths.',
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

/** In the mode that asks nobody, what would be asked is refused. */
function withMode(judgement: Judgement, { mode }: JudgedCall): Judgement {
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

/** What leaves open whether the rule is meant: the call, or else a condition of the rule. */
function doubtAbout({ isMaybe, rule }: Entry, doubt: Doubt | undefined): Doubt | undefined {
  return isMaybe && rule.problem === undefined ? (doubt ?? CONDITION) : undefined
}

const CONDITION: Doubt = Object.freeze({ kind: 'condition' })

function saidBy(entry: Entry, doubt: Doubt | undefined, parts: number): string {
  const { rule } = entry
  const open = doubtAbout(entry, doubt)
  const named = `The rule ${rule.behavior} ${rule.text} (${rule.source})`
  if (rule.problem !== undefined) return `${named} cannot be read, so what it may mean is denied.`
  if (open) return `${named} may be meant: ${sayDoubt(open)}`
  if (parts > 1) return `${named} and others cover all ${parts} parts of the command.`
  return rule.reason ? `${named} says: ${rule.reason}` : `${named} applies.`
}

/** What no judge of anybody's lifts: a call that reaches for our own settings, keys or records. */
export function judgeOwn(
  { places }: RuleBook,
  { touched }: Pick<JudgedCall, 'touched'>,
): Judgement | undefined {
  const guarded = touched && touched.paths.length > 0 ? findProtected(touched.paths, places) : undefined
  return guarded?.isOwn ? byProtection('deny', guarded) : undefined
}

/** What holds of a call that its surface wants to be approved, whoever allows it. */
export function judgeRequired(call: JudgedCall): Judgement {
  return withMode(REQUIRED, call)
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
