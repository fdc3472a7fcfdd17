import { surfaceScopes, type SurfaceScope } from '../contract/unions.js'
import { isObject } from '../platform/json/is-object.js'
import { permissionModes } from '../policy/permission-mode.js'
import { redactionModes, type RedactionMode } from '../platform/config/redaction-modes.js'
import { checkDeferralRequest, type DeferralRequest } from './deferral-request.js'
import { checkResultPolicy, type ResultPolicy } from './result-policy.js'
import { checkOptions, type OptionKind } from '../platform/validation/check-options.js'

export const surfaceModes = [...permissionModes, 'non_interactive'] as const
/**
 * `plan`: no writing tools. `non_interactive`: no tools that need a person. The others decide what requires approval.
 */
export type SurfaceMode = (typeof surfaceModes)[number]

/** How tools may be chosen: any loaded tool; only the named ones; or only by the runtime, never by the model. */
export type SelectionPolicy =
  { kind: 'any' } | { kind: 'only'; tools: readonly string[] } | { kind: 'runtime_only' }

export type ToolChoice = 'auto' | 'none' | 'required' | { tool: string }

/** Everything that decides what a caller sees. When any of it changes, the surface is rebuilt. */
export interface SurfaceRequest {
  scope: SurfaceScope
  tenant?: string
  actor?: string
  session?: string
  /** The actors above this one, nearest first: an actor cannot approve the requests of an actor that it works for. */
  above?: readonly string[]
  /** The actors that know the credentials of this one: they could ask as this actor, so they cannot approve its requests. */
  heldBy?: readonly string[]
  /** `none`: calls that would require approval are denied at once. */
  approvals?: 'ask' | 'none'
  /** Names or patterns of tools whose every call requires approval, even if a rule allows it: it only tightens. */
  approvalRequired?: readonly string[]
  /** How many calls of a tool one run may make, by name or pattern. Each tool is counted by itself. */
  maxCallsPerRun?: Readonly<Record<string, number>>
  /** The name of an agent of a source: the surface has only its tools, and its demands. Other options only tighten. */
  agent?: string
  role?: string
  /** How many agents are between the person and this one: above 0, tools that start agents are hidden. */
  depth?: number
  mode?: SurfaceMode
  workspace?: string
  platform?: string
  skills?: readonly string[]
  /** What the model supports: names with a truthy value. */
  modelCapabilities?: Readonly<Record<string, unknown>>
  features?: readonly string[]
  credentials?: readonly string[]
  /** Names or patterns with `*`. Absent: everything. */
  include?: readonly string[]
  exclude?: readonly string[]
  /** Deferred tools whose schemas this caller has already been shown. */
  load?: readonly string[]
  /** Which tools are kept out of the prompt until they are found. */
  deferral?: DeferralRequest
  /**
   * For clients without a session: a token or id, of which only a digest is stored. Loaded tools are stored under it.
   */
  client?: string
  /** The name of this surface, where the client or session has several. */
  name?: string
  selectionPolicy?: SelectionPolicy
  defaultToolChoice?: ToolChoice
  /** Capabilities that at least one loaded tool must offer; otherwise all calls are denied. */
  capabilityRequirements?: readonly string[]
  policyRefs?: readonly string[]
  runtimeRefs?: readonly string[]
  reason?: string
  /** How much of a result is shown, and what happens to the rest. */
  results?: ResultPolicy
  /** The replacement for secrets. Default: the crib's setting. */
  redaction?: RedactionMode
}

/** The options of a caller. Default scope: a session. */
export type SurfaceOptions = Omit<SurfaceRequest, 'scope'> & { scope?: SurfaceScope }

const REQUEST_OPTIONS = {
  scope: 'text',
  tenant: 'text',
  actor: 'text',
  session: 'text',
  above: 'texts',
  heldBy: 'texts',
  approvals: 'text',
  approvalRequired: 'texts',
  maxCallsPerRun: 'object',
  agent: 'text',
  role: 'text',
  depth: 'number',
  mode: 'text',
  workspace: 'text',
  platform: 'text',
  skills: 'texts',
  modelCapabilities: 'object',
  features: 'texts',
  credentials: 'texts',
  include: 'texts',
  exclude: 'texts',
  load: 'texts',
  deferral: 'object',
  client: 'text',
  name: 'text',
  selectionPolicy: 'object',
  defaultToolChoice: 'any',
  capabilityRequirements: 'texts',
  policyRefs: 'texts',
  runtimeRefs: 'texts',
  reason: 'text',
  results: 'object',
  redaction: 'text',
} as const satisfies Record<keyof SurfaceRequest, OptionKind>

/** Converts a caller's options to a request. Throws one sentence where they are invalid. */
export function toSurfaceRequest(given: SurfaceOptions): SurfaceRequest {
  const request = isObject(given) ? { ...given, scope: given.scope ?? 'session' } : (given as SurfaceRequest)
  checkSurfaceRequest(request)
  return request
}

/** Throws one sentence where a request is invalid: a misspelled filter would show too much. */
export function checkSurfaceRequest(request: SurfaceRequest): void {
  checkOptions('crib.surface', request, REQUEST_OPTIONS)
  const { scope, mode, approvals, results, redaction, deferral, maxCallsPerRun } = request
  if (!(surfaceScopes as readonly unknown[]).includes(scope)) {
    throw new TypeError(`crib.surface: "scope" must be one of ${surfaceScopes.join(', ')}.`)
  }
  if (mode !== undefined && !(surfaceModes as readonly unknown[]).includes(mode)) {
    throw new TypeError(`crib.surface: "mode" must be one of ${surfaceModes.join(', ')}.`)
  }
  if (approvals !== undefined && approvals !== 'ask' && approvals !== 'none') {
    throw new TypeError('crib.surface: "approvals" must be "ask" or "none".')
  }
  for (const key of ['session', 'client', 'name', 'agent'] as const) {
    if (request[key] === '')
      throw new TypeError(`crib.surface: "${key}" is empty; leave it out where there is none.`)
  }
  for (const [tool, most] of Object.entries(maxCallsPerRun ?? {})) {
    if (!Number.isSafeInteger(most) || most < 1)
      throw new TypeError(
        `crib.surface: "maxCallsPerRun" of "${tool}" must be a whole number above 0, not ${String(most)}.`,
      )
  }
  if (deferral) checkDeferralRequest('crib.surface: "deferral"', deferral)
  if (results) checkResultPolicy('crib.surface: "results"', results)
  if (redaction !== undefined && !(redactionModes as readonly unknown[]).includes(redaction)) {
    throw new TypeError(`crib.surface: "redaction" must be one of ${redactionModes.join(', ')}.`)
  }
}
