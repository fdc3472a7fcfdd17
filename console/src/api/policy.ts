import { request } from './http.js'
import type { Facts, List, ToolSurface } from './types.js'

// Surfaces, rules, explanations and hooks: what decides what a caller sees and may do.

export interface SurfaceName {
  readonly name: string
  readonly kind: 'config' | 'agent'
  readonly source?: string
  readonly problem?: string
}

export type Visibility = 'loaded' | 'unlisted' | 'deferred' | 'hidden' | 'denied'

export interface SurfaceItem {
  readonly tool_id: string
  readonly name: string
  readonly tokens?: number
  readonly visibility: Visibility
  readonly reason?: string
  readonly reason_message: string
}

export interface SurfacePreview {
  readonly surface: string
  readonly budget_tokens?: number
  readonly total_tokens: number
  readonly loaded_tokens: number
  readonly saved_tokens: number
  readonly items: readonly SurfaceItem[]
}

export type RuleBehavior = 'allow' | 'ask' | 'deny'

export interface RuleItem {
  readonly behavior: RuleBehavior
  readonly text: string
  readonly source: string
  readonly path?: string
  readonly line?: number
  readonly reason?: string
  /** It applies only under these conditions. */
  readonly when?: unknown
  readonly tests?: readonly RuleTest[]
  readonly is_session?: boolean
  /** Why it cannot be read. */
  readonly problem?: string
  readonly waived?: { readonly until: string; readonly reason: string; readonly by?: string }
}

/** An example of a rule, and whether it holds. */
export interface RuleTest {
  readonly example: unknown
  readonly should_match: boolean
  readonly passes: boolean
}

export interface Rules {
  readonly revision: string
  readonly mode: string
  readonly items: readonly RuleItem[]
  readonly problems: readonly { readonly file: string; readonly line?: number; readonly message: string }[]
  readonly destinations: readonly string[]
}

export interface RuleChange {
  readonly behavior: RuleBehavior
  readonly rule: string
  readonly destination?: string
}

export interface RuleChanges {
  readonly add: readonly RuleChange[]
  readonly remove: readonly RuleChange[]
}

export interface RulesPreview {
  readonly examined: number
  /** Calls whose tools are not in the catalog any more. */
  readonly not_examined?: number
  readonly changed: readonly ChangedDecision[]
  readonly problems: readonly string[]
}

export interface ChangedDecision {
  readonly invocation_id: string
  readonly tool_id: string
  readonly tool_name: string
  readonly created_at: string
  readonly before: string
  readonly after: string
  readonly reason: string
}

export interface HookItem {
  readonly id: string
  readonly event: string
  readonly tools?: readonly string[]
  readonly matcher?: string
  readonly matching_tools?: readonly string[]
  readonly [field: string]: unknown
}

export interface CallToExplain {
  readonly tool: string
  readonly input?: unknown
  readonly actor?: string
  readonly session?: string
  readonly mode?: string
}

/** How a call would be decided, and why. */
export interface ExplainedCall {
  readonly tool_id: string
  readonly tool_name: string
  readonly behavior: string
  readonly mode: string
  readonly source: string
  readonly reason: { readonly type: string; readonly message: string }
  readonly winning_rule?: ConsideredRule
  readonly considered: readonly ConsideredRule[]
  readonly blocked_path?: string
  readonly facts: Facts
  readonly reads: readonly string[]
  readonly writes: readonly string[]
  readonly hosts: readonly string[]
  readonly commands: readonly string[]
  readonly what_would_change: readonly string[]
}

export interface ConsideredRule {
  readonly ref: string
  readonly behavior: RuleBehavior
  readonly source: string
  readonly text: string
  readonly file?: string
  readonly line?: number
  /** `part`: an allow that covers some of the commands, paths or hosts. */
  readonly matched: 'yes' | 'maybe' | 'part' | 'no' | 'waived'
  readonly problem?: string
}

export const listSurfaceNames = (signal?: AbortSignal): Promise<{ items: readonly SurfaceName[] }> =>
  request('/surface-names', { signal })

export const previewSurface = (
  query: { surface?: string; actor?: string; session?: string },
  signal?: AbortSignal,
): Promise<SurfacePreview> => request('/surface-preview', { query, signal })

export const listSurfaces = (
  query: { actor?: string; session?: string; cursor?: string; limit?: number },
  signal?: AbortSignal,
): Promise<List<ToolSurface>> => request('/surfaces', { query, signal })

export const getSurface = (id: string, signal?: AbortSignal): Promise<ToolSurface> =>
  request(`/surfaces/${encodeURIComponent(id)}`, { signal })

export const listRules = (signal?: AbortSignal): Promise<Rules> => request('/rules', { signal })

export const addRule = (
  rule: RuleChange & {
    readonly destination: string
    readonly reason?: string
    /** A rule of the same destination that this one replaces. */
    readonly replaces?: { readonly behavior: RuleBehavior; readonly rule: string }
  },
): Promise<{ revision: string }> => request('/rules', { method: 'POST', body: rule })

export const removeRule = (
  rule: RuleChange & { readonly destination: string },
): Promise<{ revision: string }> => request('/rules/remove', { method: 'POST', body: rule })

/** In a file, the rule stays where it is, with its conditions, examples and comments. */
export const previewRules = (
  changes: RuleChanges & { readonly limit?: number },
  signal?: AbortSignal,
): Promise<RulesPreview> => request('/rules/preview', { method: 'POST', body: changes, signal })

export const explainCall = (call: CallToExplain, signal?: AbortSignal): Promise<ExplainedCall> =>
  request('/explain', { method: 'POST', body: call, signal })

export const listHooks = (signal?: AbortSignal): Promise<{ items: readonly HookItem[] }> =>
  request('/hooks', { signal })
