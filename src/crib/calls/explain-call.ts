import { ruleVersionRef } from '../../policy/rules/rule-version.js'
import type { JudgedFacts } from '../../policy/decision.js'
import { judgeRequired } from '../../policy/judge.js'
import type { ConsideredRule, Explanation } from '../../policy/explain.js'
import { hostsOf } from '../../policy/hosts-of.js'
import { gatherTouched } from '../../policy/commands/gather-touched.js'
import type { JudgedCall } from '../../policy/judged-call.js'
import { knownFacts, knownTool } from '../../policy/rules/known-tools.js'
import { isApprovalRequired } from '../../policy/surface-approval.js'
import type { Policy } from '../../policy/policy.js'
import type { RuleTool } from '../../policy/rules/rule-tool.js'
import type { RuleUpdate } from '../../policy/rules/rule-update.js'
import type { Touched } from '../../policy/commands/touched.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { toRuleTool } from '../../catalog/records/to-rule-tool.js'
import { folderFacts } from '../files/folder-facts.js'
import { listFolder } from '../files/list-folder.js'

/** A call to explain; it is not made. */
export interface ExplainOptions {
  /** Any of the tool's names, or a name that coding agents use, such as Bash. */
  readonly tool: string
  readonly input?: unknown
  readonly mode?: string | undefined
  readonly actor?: string | undefined
  readonly role?: string | undefined
  readonly session?: string | undefined
  readonly surfaceId?: string | undefined
  readonly tenant?: string | undefined
  readonly workspace?: string | undefined
  /** From the caller's surface: tools whose every call requires approval. */
  readonly approvalRequired?: readonly string[] | undefined
}

export interface ExplainedCall {
  readonly tool_id: string
  readonly behavior: string
  readonly mode: string
  readonly source: string
  readonly reason: { readonly type: string; readonly message: string }
  readonly rule_refs: readonly string[]
  readonly winning_rule: ConsideredRule | undefined
  readonly considered: readonly ConsideredRule[]
  readonly waived_rule: string | undefined
  readonly blocked_path: string | undefined
  readonly facts: JudgedFacts
  readonly reads: readonly string[]
  readonly writes: readonly string[]
  readonly hosts: readonly string[]
  readonly commands: readonly string[]
  readonly suggested_updates: readonly RuleUpdate[]
  readonly what_would_change: readonly string[]
}

export interface ExplainContext {
  readonly policy: Policy
  readonly home: string
  readonly workspace: string
  followLinks(path: string): string
  exists(path: string): boolean
  find(name: string): CatalogTool | undefined
}

/** Evaluates a hypothetical call, with every rule that was considered. */
export function explainCall(ports: ExplainContext, options: ExplainOptions): ExplainedCall {
  const call = judgedCallOf(ports, options)
  const { judgement, considered, suggestedUpdates, whatWouldChange } = explanationOf(ports, call, options)
  const { rule, reason, behavior, path, waived } = judgement
  const of = (access: 'read' | 'write'): string[] =>
    (call.touched?.paths ?? []).flatMap((each) => (each.access === access ? [each.path] : []))
  return {
    tool_id: call.tool.toolId,
    behavior,
    mode: call.mode,
    source: rule?.source ?? 'toolcrib.default',
    reason,
    rule_refs: rule ? [ruleVersionRef(rule)] : [],
    winning_rule: rule && considered.find(({ ref }) => ref === rule.ref),
    considered,
    waived_rule: waived?.ref,
    blocked_path: path,
    facts: call.facts,
    reads: of('read'),
    writes: of('write'),
    hosts: hostsOf(call),
    commands: (call.touched?.command?.commands ?? []).map(({ text }) => text),
    suggested_updates: suggestedUpdates,
    what_would_change: whatWouldChange,
  }
}

function explanationOf(
  { policy }: ExplainContext,
  call: JudgedCall,
  { approvalRequired = [] }: ExplainOptions,
): Explanation {
  const explanation = policy.explain(call)
  const { judgement } = explanation
  if (judgement.behavior === 'deny' || !isApprovalRequired(approvalRequired, call.tool)) return explanation
  return {
    ...explanation,
    judgement: judgeRequired(call),
    suggestedUpdates: [],
    whatWouldChange: ['Nothing lifts this: the surface requires approval each time.'],
  }
}

function judgedCallOf(ports: ExplainContext, options: ExplainOptions): JudgedCall {
  const input = options.input ?? {}
  const workspace = options.workspace ?? ports.workspace
  const { tool, touched, facts } = subjectOf(ports, options.tool, { input, workspace })
  return {
    tool,
    input,
    facts,
    touched,
    workspace,
    mode: ports.policy.modeFor(options.session, options.mode),
    actor: options.actor,
    role: options.role,
    session: options.session,
    surfaceId: options.surfaceId ?? '',
    tenant: options.tenant ?? 'default',
  }
}

interface Subject {
  tool: RuleTool
  touched: Touched | undefined
  facts: JudgedFacts
}

function subjectOf(
  { find, home, policy, followLinks, exists }: ExplainContext,
  name: string,
  { input, workspace }: { input: unknown; workspace: string },
): Subject {
  const { isOwn, isOwnName } = policy
  const disk = { followLinks, exists, listFolder, folders: folderFacts }
  const here = { workspace, home, ...disk, isOwn, isOwnName }
  const found = find(name)
  if (!found) {
    const known = knownTool(name, input)
    const hasPathRules = policy.hasPathRules(known.tool)
    const touched = gatherTouched(known.tool, input, { ...here, hasPathRules })
    return { tool: known.tool, touched, facts: knownFacts(known, touched) }
  }
  const tool = toRuleTool(found, find)
  const touched = gatherTouched(tool, input, { ...here, hasPathRules: policy.hasPathRules(tool) })
  const reading = touched?.command
  return { tool, touched, facts: found.facts(input, reading && (() => reading)) }
}
