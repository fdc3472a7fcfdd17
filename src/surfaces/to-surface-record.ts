import type { ToolSurface } from '../contract/objects/tool-surface.js'
import { isoTime } from '../contract/iso-time.js'
import { SCHEMA_VERSION } from '../contract/unions.js'
import { withoutUndefined } from '../platform/json/without-undefined.js'
import { toolRef } from '../catalog/records/tool-records.js'
import type { BuiltSurface, HiddenTool } from './build-surface.js'
import { canSearch } from './can-search.js'
import { UNLISTED } from './filters.js'
import type { SelectionPolicy } from './surface-request.js'
import { toDeferredRef } from './to-deferred-ref.js'
import { COST_ENCODING } from './tool-cost.js'

export interface SurfaceIdentity {
  surfaceId: string
  producer: string
  /** How often this surface was built. */
  revision: number
  createdAt: number
}

/** The longest lists that are written out, of tools and of names; for longer ones counts are recorded. */
const MAX_LISTED = 40
const MAX_NAMES = 100

/** The standard's record. It records how to rebuild the surface, not the catalog. */
export function toSurfaceRecord(
  built: BuiltSurface,
  identity: SurfaceIdentity,
  { before, full = false }: { before?: BuiltSurface | undefined; full?: boolean } = {},
): ToolSurface {
  const { request } = built
  const counts = countsOf(built)
  const isListed = (count: number): boolean => full || count <= MAX_LISTED
  const isAnyListed = [counts.deferred, counts.blocked, counts.excluded].some(
    (count) => count > 0 && isListed(count),
  )
  const hidden = isAnyListed ? built.hidden() : []
  const of = (state: HiddenTool['visibility']['state']): HiddenTool[] | undefined =>
    isListed(counts[state]) ? hidden.filter(({ visibility }) => visibility.state === state) : undefined
  const deferred = of('deferred')
  const unlisted = built.unlisted.map((tool): HiddenTool => ({ tool, visibility: UNLISTED }))
  const discoverable = deferred && [...deferred, ...unlisted]
  const isFindable = canSearch(built)
  const loaded = built.loaded.filter(built.isOnList)
  return withoutUndefined({
    schema_version: SCHEMA_VERSION,
    surface_id: identity.surfaceId,
    scope: request.scope,
    created_at: isoTime(identity.createdAt),
    producer: identity.producer,
    tool_refs:
      (full || counts.loaded + counts.deferred <= MAX_NAMES) && discoverable
        ? [...loaded, ...discoverable.map(({ tool }) => tool)].map((tool) => toolRef(tool))
        : undefined,
    loaded_tools: full || loaded.length <= MAX_NAMES ? loaded.map(({ toolId }) => toolId) : undefined,
    deferred_tools: discoverable?.map(({ tool, visibility }) =>
      toDeferredRef(tool, visibility, { isFindable }),
    ),
    blocked_tools: of('blocked')?.map(toHiddenRef),
    excluded_tools: of('excluded')?.map(toHiddenRef),
    selection_policy: selectionOf(request.selectionPolicy),
    default_tool_choice: request.defaultToolChoice ?? 'auto',
    capability_requirements: [...(request.capabilityRequirements ?? [])],
    model_capabilities: { ...request.modelCapabilities },
    role_constraints: withoutUndefined({
      role: request.role,
      depth: request.depth ?? 0,
      mode: request.mode ?? 'default',
    }),
    surface_reason: request.reason,
    policy_refs: [...(request.policyRefs ?? [])],
    runtime_refs: [...(request.runtimeRefs ?? [])],
    toolcrib: withoutUndefined({
      revision: identity.revision,
      catalog_revision: built.catalogRevision,
      tenant: request.tenant,
      actor: request.actor,
      session: request.session,
      filters: filtersOf(built),
      counts,
      deferral: deferralOf(built),
      capability_gaps: [...built.capabilityGaps],
      differs: before && differenceOf(before, built),
    }),
  })
}

/** The number of tools in each state, as the lists have them. */
function countsOf({ loaded, unlisted, counts }: BuiltSurface): SurfaceCounts {
  const { byReason } = counts
  const more = unlisted.length
  return {
    loaded: loaded.length - more,
    deferred: counts.deferred + more,
    blocked: counts.blocked,
    excluded: counts.excluded,
    by_reason:
      more === 0 ? byReason : { ...byReason, [UNLISTED.reason]: (byReason[UNLISTED.reason] ?? 0) + more },
  }
}

interface SurfaceCounts extends Record<HiddenTool['visibility']['state'] | 'loaded', number> {
  by_reason: Record<string, number>
}

function selectionOf(policy: SelectionPolicy = { kind: 'any' }): Record<string, unknown> {
  if (policy.kind !== 'only' || policy.tools.length <= MAX_LISTED) return { ...policy }
  return {
    kind: policy.kind,
    tools: policy.tools.slice(0, MAX_LISTED),
    toolcrib: { count: policy.tools.length },
  }
}

function toHiddenRef({ tool, visibility }: HiddenTool): NonNullable<ToolSurface['blocked_tools']>[number] {
  return {
    tool_id: tool.toolId,
    name: tool.draft.name,
    reason: visibility.reason,
    message: visibility.message,
  }
}

/** The budget's decision and its numbers. */
function deferralOf({ request, deferral }: BuiltSurface): Record<string, unknown> | undefined {
  if (!deferral) return undefined
  return {
    decision: deferral.decision,
    budget_tokens: request.deferral?.budgetTokens,
    total_tokens: deferral.totalTokens,
    loaded_tokens: deferral.loadedTokens,
    deferred_tokens: deferral.deferredTokens,
    saved_tokens: deferral.savedTokens,
    encoding: COST_ENCODING,
    kept: deferral.kept,
    way: request.deferral?.way ?? 'load',
  }
}

/** What decided the surface. A long list of names is recorded by its length and its beginning. */
const FILTER_LISTS = [
  'skills',
  'features',
  'credentials',
  'include',
  'exclude',
  'load',
  'approvalRequired',
] as const

function filtersOf({ request }: BuiltSurface): Record<string, unknown> {
  const { role, depth, mode, workspace, platform, name, agent, maxCallsPerRun } = request
  const lists = Object.fromEntries(
    FILTER_LISTS.map((name) => {
      const given = request[name]
      const isLong = given !== undefined && given.length > MAX_LISTED
      return [name, isLong ? { count: given.length, first: given.slice(0, 3) } : given]
    }),
  )
  return withoutUndefined({ role, depth, mode, workspace, platform, name, agent, maxCallsPerRun, ...lists })
}

function differenceOf(before: BuiltSurface, after: BuiltSurface): Record<string, unknown> {
  const was = new Set(before.loaded.filter(before.isOnList).map(({ toolId }) => toolId))
  const is = new Set(after.loaded.filter(after.isOnList).map(({ toolId }) => toolId))
  const appeared = [...is].filter((id) => !was.has(id))
  const disappeared = [...was].filter((id) => !is.has(id))
  return {
    loaded_added: appeared.length,
    loaded_removed: disappeared.length,
    added: appeared.slice(0, MAX_LISTED),
    removed: disappeared.slice(0, MAX_LISTED),
  }
}
