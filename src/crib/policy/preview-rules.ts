import { homedir } from 'node:os'
import type { PermissionBehavior, RuleSource } from '../../contract/unions.js'
import { isoTime } from '../../contract/iso-time.js'
import { createTurns } from '../../platform/async/create-turns.js'
import { judgeRequired } from '../../policy/judge.js'
import type { JudgedCall } from '../../policy/judged-call.js'
import type { Judgement } from '../../policy/judgement.js'
import type { Policy } from '../../policy/policy.js'
import { checkUpdate } from '../../policy/rules/check-update.js'
import type { RuleBehavior } from '../../policy/rules/rule.js'
import { applyUpdate, type PolicyContent } from '../../policy/rules/rule-update.js'
import { isApprovalRequired } from '../../policy/surface-approval.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { Redactor } from '../../redaction/redactor.js'
import { judgedInput } from '../../storage/journal/judged-input.js'
import type { Journal } from '../../storage/journal/journal.js'
import type { CallRow } from '../../storage/store.js'
import type { SurfaceRequest } from '../../surfaces/surface-request.js'
import { judgedCallOf } from '../calls/explain-call.js'
import type { DiskFacts } from '../files/disk-facts.js'
import type { SurfaceDocument } from '../surfaces/surface-document.js'

/** A rule that is added or removed in a preview. */
export interface RuleChange {
  readonly behavior: RuleBehavior
  readonly rule: string
  /** Where it is. Default: an added rule is in `local_settings`, and a rule is removed from every source. */
  readonly destination?: RuleSource | undefined
}

export interface RuleChanges {
  readonly add?: readonly RuleChange[] | undefined
  readonly remove?: readonly RuleChange[] | undefined
}

export interface PreviewOptions {
  /** How many of the last calls are examined, at most 1,000. Default: 1,000. */
  readonly limit?: number | undefined
  readonly tenant?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** A recorded call that the rules would decide otherwise. */
export interface ChangedDecision {
  readonly invocation_id: string
  readonly tool_id: string
  readonly created_at: string
  readonly before: PermissionBehavior
  readonly after: PermissionBehavior
  /** Of the decision after the change. */
  readonly reason: string
}

export interface RulesPreview {
  /** How many calls were judged, with the rules as they are and with the changed rules. */
  readonly examined: number
  /** Calls whose tools are no longer in the catalog. */
  readonly not_examined: number
  /** The newest first. */
  readonly changed: readonly ChangedDecision[]
  /** Changes that cannot be made, as sentences: the preview is without them. */
  readonly problems: readonly string[]
}

export const MAX_PREVIEWED_CALLS = 1000

/** The content after the changes. Changes that cannot be made are left out. */
export function withRuleChanges(
  content: PolicyContent,
  { add = [], remove = [] }: RuleChanges,
  baseOf: (source: RuleSource) => string,
): { content: PolicyContent; problems: string[] } {
  const problems: string[] = []
  let next = content
  for (const { behavior, rule, destination } of remove) {
    const text = rule.trim()
    const kept = next.rules.filter(
      (each) =>
        each.behavior !== behavior ||
        each.text !== text ||
        (destination !== undefined && each.source !== destination),
    )
    if (kept.length === next.rules.length) {
      const where = destination === undefined ? '' : ` in ${destination}`
      problems.push(`There is no rule ${behavior} ${text}${where}.`)
    }
    next = { ...next, rules: kept }
  }
  for (const { behavior, rule, destination = 'local_settings' } of add) {
    const update = { type: 'add_rules', behavior, rules: [rule], destination } as const
    const problem = checkUpdate(update)
    if (problem === undefined) next = applyUpdate(next, update, baseOf(destination))
    else problems.push(problem)
  }
  return { content: next, problems }
}

export interface ComparePorts {
  readonly journal: Pick<Journal, 'store' | 'flush'>
  readonly tenant: string
  readonly workspace: string
  readonly catalog: Catalog
  readonly disk: DiskFacts
  readonly redactor: Redactor
}

/**
 * Judges the last calls with two policies, as of now. Inputs are masked as they are recorded: a rule about a masked value
 * does not find it. Nothing runs and nothing is recorded.
 */
export async function compareDecisions(
  { journal, tenant: home, workspace, catalog, disk, redactor }: ComparePorts,
  { before, after }: { before: Policy; after: Policy },
  { limit = MAX_PREVIEWED_CALLS, tenant = home, signal }: PreviewOptions,
): Promise<Omit<RulesPreview, 'problems'>> {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PREVIEWED_CALLS)
    throw new TypeError(`"limit" must be a whole number from 1 to ${MAX_PREVIEWED_CALLS}.`)
  const { store } = journal
  const requestOf = rememberRequests(store, tenant)
  // Files and commands are read once for both.
  const hasPathRules: Policy['hasPathRules'] = (tool) => before.hasPathRules(tool) || after.hasPathRules(tool)
  const { isOwn, isOwnName } = before
  const context = { ...disk, home: homedir(), workspace, find: catalog.get }
  const changed: ChangedDecision[] = []
  let examined = 0
  let missing = 0
  const turns = createTurns()
  await journal.flush()
  for await (const row of lastCalls(store, { tenant, limit })) {
    signal?.throwIfAborted()
    if (catalog.get(row.toolId)) {
      const request = await requestOf(row.surfaceId)
      const input = judgedInput(await store.readStream(tenant, row.invocationId))
      const call = judgedCallOf(
        { ...context, policy: { modeFor: before.modeFor, isOwn, isOwnName, hasPathRules } },
        { ...callerOf(row, request), tool: row.toolId, input, tenant },
      )
      const was = judgeFor(before, call, request)
      const is = judgeFor(after, call, request)
      examined++
      if (was.behavior !== is.behavior)
        changed.push({
          invocation_id: row.invocationId,
          tool_id: row.toolId,
          created_at: isoTime(row.createdAt),
          before: was.behavior,
          after: is.behavior,
          reason: redactor.text(is.reason.message),
        })
    } else missing++
    const wait = turns.due()
    if (wait) await wait
  }
  return { examined, not_examined: missing, changed }
}

/** A surface may require approval where the rules allow a call. */
function judgeFor(policy: Policy, call: JudgedCall, request: Partial<SurfaceRequest>): Judgement {
  const judgement = policy.judge(call)
  const isRequired = isApprovalRequired(request.approvalRequired ?? [], call.tool)
  return isRequired && judgement.behavior !== 'deny' ? judgeRequired(call) : judgement
}

function callerOf(
  { actor, session, surfaceId }: CallRow,
  { role, mode, workspace }: Partial<SurfaceRequest>,
): Pick<JudgedCall, 'actor' | 'role' | 'session' | 'surfaceId'> & { mode?: string; workspace?: string } {
  return { actor, session, surfaceId, role, ...(mode && { mode }), ...(workspace && { workspace }) }
}

type Store = Journal['store']

/** A page at a time: a long one would keep other work waiting. */
const PAGE = 100

async function* lastCalls(
  store: Store,
  { tenant, limit }: { tenant: string; limit: number },
): AsyncGenerator<CallRow, void, void> {
  let left = limit
  let cursor: string | undefined
  do {
    const page = await store.listCalls({ tenant, newestFirst: true, limit: Math.min(PAGE, left), cursor })
    yield* page.rows
    left -= page.rows.length
    cursor = page.cursor
  } while (cursor !== undefined && left > 0)
}

/** What the surfaces of calls demanded. Nothing is known of a surface without a record. */
function rememberRequests(
  store: Store,
  tenant: string,
): (surfaceId: string) => Promise<Partial<SurfaceRequest>> {
  const known = new Map<string, Partial<SurfaceRequest>>()
  return async (surfaceId) => {
    let request = known.get(surfaceId)
    if (!request) {
      const found = await store.getDocument(tenant, 'surface', surfaceId)
      request = (found?.value as SurfaceDocument | undefined)?.request ?? {}
      known.set(surfaceId, request)
    }
    return request
  }
}
