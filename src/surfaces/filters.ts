import type { ErrorCode } from '../contract/error-codes.js'
import type { SurfaceReason } from '../contract/unions.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'
import { setupProblemOf } from '../catalog/setup-problem-of.js'
import type { ToolDraft } from '../catalog/tool-draft.js'
import type { Denial } from './denial.js'
import { CALL_TOOL_ID, DISCOVERY_TOOL_ID, isDiscoveryTool } from './discovery-tool.js'
import type { NameTest } from './name-pattern.js'
import type { Shown } from './shown.js'
import type { SurfaceRequest } from './surface-request.js'

/** The state of a tool on a surface, and why it is not loaded. */
export type Visibility =
  | { state: 'loaded' }
  | {
      state: 'deferred' | 'blocked' | 'excluded'
      reason: SurfaceReason
      message: string
      /** More specific than the reason, for programs. */
      code?: ErrorCode
      /** The provider that is still connecting. */
      pendingProvider?: string
      /** The rule that denies every call of it. */
      denial?: Denial
    }

export interface CompiledRequest {
  request: SurfaceRequest
  platform: string
  skills: ReadonlySet<string>
  features: ReadonlySet<string>
  credentials: ReadonlySet<string>
  /** Each absent where the request does not set it. */
  isIncluded: NameTest | undefined
  isExcluded: NameTest | undefined
  isSelectable: NameTest | undefined
  isChosen: NameTest | undefined
  isLoaded: NameTest | undefined
  isAlways: NameTest | undefined
  isNever: NameTest | undefined
  shown: Shown
  /** Returns the rule, if any, that denies every call of a tool to this caller. */
  denies: ((tool: CatalogTool) => Denial | undefined) | undefined
}

type Judge = (tool: CatalogTool, on: CompiledRequest) => Visibility | undefined

interface Filter {
  readonly judge: Judge
  /** Whether it can ever apply to this tool. Computed once per tool: most filters do not apply to most tools. */
  readonly mayApply: (draft: ToolDraft) => boolean
}

export const LOADED: Visibility = Object.freeze({ state: 'loaded' })

const excluded = (reason: SurfaceReason, message: string): Exclude<Visibility, { state: 'loaded' }> => ({
  state: 'excluded',
  reason,
  message,
})
const blocked = (reason: SurfaceReason, message: string): Exclude<Visibility, { state: 'loaded' }> => ({
  state: 'blocked',
  reason,
  message,
})

const always = (): boolean => true

/**
 * The first filter with a result decides. Filters about the tool come before filters about the caller: they are more
 * specific.
 */
const filters: readonly Filter[] = [
  // a tool that cannot be used at all needs no other reason
  {
    judge: byLifecycle,
    mayApply: ({ lifecycle }) => lifecycle !== 'available' && lifecycle !== 'deprecated',
  },
  // a tool that is always denied is neither offered nor found
  { judge: byPolicy, mayApply: always },
  // included or not: cheap, and decides for most of a large catalog
  { judge: bySelection, mayApply: always },
  { judge: byEnabled, mayApply: ({ availability }) => availability.isEnabled !== undefined },
  { judge: byRole, mayApply: ({ availability }) => availability.roles !== undefined },
  { judge: byRecursion, mayApply: ({ availability }) => availability.isRecursive === true },
  { judge: byWorkspace, mayApply: ({ availability }) => availability.workspaces !== undefined },
  { judge: byPlatform, mayApply: ({ availability }) => availability.platforms !== undefined },
  { judge: bySkill, mayApply: ({ availability }) => availability.skills !== undefined },
  { judge: byModel, mayApply: ({ availability }) => availability.modelRequirements !== undefined },
  { judge: byFeature, mayApply: ({ availability }) => availability.featureGates !== undefined },
  {
    judge: byMode,
    mayApply: ({ facts }) => facts.is_read_only !== true || facts.requires_user_interaction === true,
  },
  // from here on, obstacles that can be removed
  { judge: byCredential, mayApply: ({ availability }) => availability.requiredCredentials !== undefined },
  { judge: bySetup, mayApply: ({ availability }) => availability.setupProblem !== undefined },
  { judge: byProvider, mayApply: ({ availability }) => availability.pendingProvider !== undefined },
  // last: only a usable tool is worth finding
  { judge: byDeferral, mayApply: always },
]

export function judgeVisibility(tool: CatalogTool, on: CompiledRequest): Visibility {
  const constraints = (tool.constraints ??= constraintsOf(tool.draft))
  for (let index = 0; index < filters.length; index++) {
    if ((constraints & (1 << index)) === 0) continue
    const visibility = filters[index]!.judge(tool, on)
    if (visibility) return visibility
  }
  return LOADED
}

function constraintsOf(draft: ToolDraft): number {
  return filters.reduce((bits, { mayApply }, index) => (mayApply(draft) ? bits | (1 << index) : bits), 0)
}

const NOT_INCLUDED = excluded('toolcrib.not_selected', 'The surface does not include this tool.')
const EXCLUDED = excluded('toolcrib.not_selected', 'The surface excludes this tool.')
const NOT_NAMED = excluded('toolcrib.not_selected', 'The selection policy names other tools.')

const NOT_THIS_WAY = excluded('toolcrib.not_selected', 'Tools of this surface are called directly.')
/** For the discovery tools, where no tool is deferred. */
export const NOTHING_TO_FIND = excluded('toolcrib.not_selected', 'Nothing is deferred on this surface.')

function byLifecycle({ draft }: CatalogTool): Visibility | undefined {
  switch (draft.lifecycle) {
    case 'available':
    case 'deprecated':
    case 'deferred':
      return undefined
    case 'requires_setup':
      return blocked('setup_required', 'The tool is not set up yet.')
    case 'disabled':
      return blocked('toolcrib.disabled', 'The tool is disabled.')
    case 'draft':
      return excluded('toolcrib.lifecycle', 'The tool is a draft; set its status to active first.')
    case 'retired':
      return excluded('toolcrib.lifecycle', 'The tool is retired.')
  }
}

function byPolicy(tool: CatalogTool, on: CompiledRequest): Visibility | undefined {
  const denial = on.denies?.(tool)
  return denial && { ...blocked('policy_blocked', denial.message), denial }
}

function bySelection(tool: CatalogTool, on: CompiledRequest): Visibility | undefined {
  if (on.isExcluded?.(tool)) return EXCLUDED
  if (isDiscoveryTool(tool)) return byWay(tool, on)
  if (on.isIncluded?.(tool) === false) return NOT_INCLUDED
  if (on.isSelectable?.(tool) === false || on.isChosen?.(tool) === false) return NOT_NAMED
  return undefined
}

/** The discovery tools serve the included tools: they need not be included themselves. */
function byWay({ toolId }: CatalogTool, { request, isChosen }: CompiledRequest): Visibility | undefined {
  if (toolId === CALL_TOOL_ID && request.deferral?.way !== 'pair') return NOT_THIS_WAY
  return isChosen ? NOT_NAMED : undefined
}

export function byEnabled({ draft }: CatalogTool): Visibility | undefined {
  const { isEnabled } = draft.availability
  if (isEnabled === undefined || isEnabled === true) return undefined
  return isEnabled === false || !answersYes(isEnabled)
    ? blocked('toolcrib.disabled', 'The tool is switched off.')
    : undefined
}

function byRole({ draft }: CatalogTool, { request }: CompiledRequest): Visibility | undefined {
  const { roles } = draft.availability
  if (!roles || (request.role !== undefined && roles.includes(request.role))) return undefined
  return excluded('role_not_allowed', `Only for the role ${roles.join(' or ')}.`)
}

function byRecursion({ draft }: CatalogTool, { request }: CompiledRequest): Visibility | undefined {
  if (!draft.availability.isRecursive || (request.depth ?? 0) === 0) return undefined
  return excluded('recursive_tool_forbidden', 'An agent that was started by an agent may not start another.')
}

function byWorkspace({ draft }: CatalogTool, { request }: CompiledRequest): Visibility | undefined {
  const { workspaces } = draft.availability
  if (!workspaces || (request.workspace !== undefined && workspaces.includes(request.workspace)))
    return undefined
  return excluded('toolcrib.workspace_mismatch', `Only in the workspace ${workspaces.join(' or ')}.`)
}

function byPlatform({ draft }: CatalogTool, on: CompiledRequest): Visibility | undefined {
  const { platforms } = draft.availability
  if (!platforms || platforms.includes(on.platform)) return undefined
  return excluded('toolcrib.platform_unsupported', `Only on ${platforms.join(' or ')}.`)
}

function bySkill({ draft }: CatalogTool, on: CompiledRequest): Visibility | undefined {
  const { skills } = draft.availability
  if (!skills || skills.some((skill) => on.skills.has(skill))) return undefined
  return excluded(
    'toolcrib.skill_inactive',
    `Comes with the skill ${skills.join(' or ')}, which is not active.`,
  )
}

function byModel({ draft }: CatalogTool, { request }: CompiledRequest): Visibility | undefined {
  const missing = draft.availability.modelRequirements?.filter((name) => !hasCapability(request, name))
  if (!missing || missing.length === 0) return undefined
  return excluded('model_unsupported', `The model lacks ${missing.join(', ')}.`)
}

// Own properties only: a requirement named "toString" must not be met by every object.
function hasCapability({ modelCapabilities }: SurfaceRequest, name: string): boolean {
  if (!modelCapabilities || !Object.hasOwn(modelCapabilities, name)) return false
  return modelCapabilities[name] !== false && modelCapabilities[name] !== undefined
}

function byFeature({ draft }: CatalogTool, on: CompiledRequest): Visibility | undefined {
  const missing = draft.availability.featureGates?.filter((gate) => !on.features.has(gate))
  if (!missing || missing.length === 0) return undefined
  return excluded('feature_disabled', `The feature ${missing.join(', ')} is off.`)
}

function byMode({ draft }: CatalogTool, { request }: CompiledRequest): Visibility | undefined {
  if (request.mode === 'plan' && (draft.facts.is_read_only ?? false) === false) {
    return blocked(
      'toolcrib.mode_forbids_writes',
      'In plan mode only tools that can read without writing are offered.',
    )
  }
  if (request.mode === 'non_interactive' && draft.facts.requires_user_interaction === true) {
    return blocked('toolcrib.human_required', 'The tool needs a person, and none is available.')
  }
  return undefined
}

function byCredential({ draft }: CatalogTool, on: CompiledRequest): Visibility | undefined {
  const missing = draft.availability.requiredCredentials?.filter((name) => !on.credentials.has(name))
  if (!missing || missing.length === 0) return undefined
  return blocked('credential_missing', `The credential ${missing.join(', ')} is missing.`)
}

function bySetup({ draft }: CatalogTool): Visibility | undefined {
  const problem = setupProblemOf(draft.availability)
  if (!problem) return undefined
  const { message, code } = problem
  const reason = code === 'toolcrib.credential_missing' ? 'credential_missing' : 'setup_required'
  return { ...blocked(reason, message), ...(code !== undefined && { code }) }
}

function byProvider({ draft }: CatalogTool): Visibility | undefined {
  const pendingProvider = pendingProviderOf(draft)
  if (pendingProvider === undefined) return undefined
  return {
    state: 'deferred',
    reason: 'toolcrib.pending_provider',
    message: `${pendingProvider} is still connecting; try again soon.`,
    pendingProvider,
  }
}

/** The provider that is still connecting. If its check throws, it counts as connecting. */
export function pendingProviderOf({ availability, namespace }: ToolDraft): string | undefined {
  try {
    const pending = availability.pendingProvider?.()
    return pending === undefined ? undefined : String(pending)
  } catch {
    return namespace
  }
}

export const DEFERRED: Exclude<Visibility, { state: 'loaded' }> = Object.freeze({
  state: 'deferred',
  reason: 'deferred_until_discovered',
  message: 'Find the tool and load its schema before calling it.',
})

function byDeferral(tool: CatalogTool, on: CompiledRequest): Visibility | undefined {
  const { lifecycle, availability } = tool.draft
  const isNever = on.isNever?.(tool) === true && !isDiscovery(tool, on)
  const defersItself = lifecycle === 'deferred' || availability.shouldDefer === true
  if (!isNever && (!defersItself || isAlways(tool, on))) return undefined
  return isAsked(tool, on) ? undefined : DEFERRED
}

/** Whether it is in the prompt at any cost. */
export function isAlways(tool: CatalogTool, on: CompiledRequest): boolean {
  if (tool.draft.availability.alwaysLoad === true || on.isAlways?.(tool) === true) return true
  return isDiscovery(tool, on)
}

/**
 * By id, because a host may bring its own search: deferred tools could not be found if the search were deferred too.
 */
function isDiscovery(tool: CatalogTool, { request }: CompiledRequest): boolean {
  return isDiscoveryTool(tool) || (request.deferral !== undefined && tool.toolId === DISCOVERY_TOOL_ID)
}

/** Whether the caller names it or must call it, or the conversation has been shown it. */
export function isAsked(tool: CatalogTool, { isLoaded, isChosen, shown }: CompiledRequest): boolean {
  if (shown.loaded.has(tool.toolId) || shown.kept.has(tool.toolId)) return true
  return isLoaded?.(tool) === true || isChosen?.(tool) === true
}

/** The state of the tool's own switches: enabled or not, set up or not. The wording of a problem does not count. */
export function switchesOf(tool: CatalogTool): string {
  const { code = '' } = (bySetup(tool) ?? {}) as { code?: string }
  return `${byEnabled(tool) === undefined} ${bySetup(tool) === undefined} ${code}`
}

export function hasSwitches({ availability }: ToolDraft): boolean {
  return typeof availability.isEnabled === 'function' || availability.setupProblem !== undefined
}

/** For a deprecated tool that is not listed: it can still be found. */
export const UNLISTED: Exclude<Visibility, { state: 'loaded' }> = {
  state: 'deferred',
  reason: 'toolcrib.lifecycle',
  message: 'The tool is deprecated: it is listed only where it is named or was listed before.',
}

/**
 * A deprecated tool can still be called, and stays on lists that have it; it is added to others only if it is named.
 */
export function isNewlyListed(tool: CatalogTool, on: CompiledRequest): boolean {
  const { toolId, qualifiedName, draft } = tool
  if (draft.lifecycle !== 'deprecated') return true
  if (on.shown.order.includes(toolId) || isAsked(tool, on) || isAlways(tool, on)) return true
  const { include = [] } = on.request
  return [toolId, qualifiedName, tool.providerName, draft.name].some((name) => include.includes(name))
}

/** Whether it can be called because the conversation was shown it, without being listed or in the prompt. */
export function isOffList({ toolId }: CatalogTool, { request, shown }: CompiledRequest): boolean {
  return (request.deferral?.way ?? 'load') !== 'load' && shown.loaded.has(toolId)
}

function answersYes(rule: () => boolean): boolean {
  try {
    return rule() === true
  } catch {
    return false
  }
}
