import { ruleVersionRef } from '../../policy/rules/rule-version.js'
import type { JudgedFacts } from '../../policy/decision.js'
import { judgeRequired } from '../../policy/judge.js'
import type { Explanation } from '../../policy/explain.js'
import type { ExplainedCall, ExplainOptions } from '../../policy/explained-call.js'
import { hostsOf } from '../../policy/hosts-of.js'
import { gatherTouched } from '../../policy/commands/gather-touched.js'
import type { JudgedCall } from '../../policy/judged-call.js'
import { knownFacts, knownTool } from '../../policy/rules/known-tools.js'
import { isApprovalRequired } from '../../policy/surface-approval.js'
import type { Policy } from '../../policy/policy.js'
import type { RuleTool } from '../../policy/rules/rule-tool.js'
import type { Touched } from '../../policy/commands/touched.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { toRuleTool } from '../../catalog/records/to-rule-tool.js'
import { folderFacts } from '../files/folder-facts.js'
import { listFolder } from '../files/list-folder.js'

export interface ExplainContext {
  readonly policy: Policy
  readonly home: string
  readonly workspace: string
  followLinks(path: string): string
  exists(path: string): boolean
  find(name: string): CatalogTool | undefined
}

/** What a call is read with, before it is judged. */
export type ReadingContext = Omit<ExplainContext, 'policy'> & {
  readonly policy: Pick<Policy, 'modeFor' | 'isOwn' | 'isOwnName' | 'hasPathRules'>
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

/** The call as rules judge it. */
export function judgedCallOf(ports: ReadingContext, options: ExplainOptions): JudgedCall {
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
  { find, home, policy, followLinks, exists }: ReadingContext,
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
