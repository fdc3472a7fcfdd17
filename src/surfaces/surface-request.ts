import { surfaceScopes, type SurfaceScope } from '../contract/unions.js'
import { permissionModes } from '../policy/permission-mode.js'
import { redactionWays, type RedactionWay } from '../platform/config/redaction-modes.js'
import { checkDeferralRequest, type DeferralRequest } from './deferral-request.js'
import { checkResultPolicy, type ResultPolicy } from './result-policy.js'
import { checkOptions, type OptionKind } from '../platform/validation/check-options.js'

export const surfaceModes = [...permissionModes, 'non_interactive'] as const
/** `plan`: nothing that writes. `non_interactive`: nothing that needs a person. The others say what is asked about. */
export type SurfaceMode = (typeof surfaceModes)[number]

/** How tools may be chosen: any that is loaded; only the named ones; or only by the runtime, never by the model. */
export type SelectionPolicy =
  { kind: 'any' } | { kind: 'only'; tools: readonly string[] } | { kind: 'runtime_only' }

export type ToolChoice = 'auto' | 'none' | 'required' | { tool: string }

/** Everything that decides what a caller sees. When any of it changes, the surface is built again. */
export interface SurfaceRequest {
  scope: SurfaceScope
  tenant?: string
  actor?: string
  session?: string
  /** The actors above this one, nearest first: whoever works for another cannot approve what that one asks for. */
  above?: readonly string[]
  /** `none`: what would be asked about is rejected at once. */
  approvals?: 'ask' | 'none'
  /** Names or patterns of tools of which every call is asked about, whoever allows it: it only ever tightens. */
  approvalRequired?: readonly string[]
  role?: string
  /** How many agents stand between the person and this one: above 0, tools that start agents are withheld. */
  depth?: number
  mode?: SurfaceMode
  workspace?: string
  platform?: string
  skills?: readonly string[]
  /** What the model can do: names that are true or given are supported. */
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
  /** For clients that keep no session: a token or id, of which only a digest is kept. What was loaded is kept under it. */
  client?: string
  /** Which of the client's or session's surfaces this is, where it has several. */
  name?: string
  selectionPolicy?: SelectionPolicy
  defaultToolChoice?: ToolChoice
  /** Capabilities that some loaded tool must offer, or no call is let through. */
  capabilityRequirements?: readonly string[]
  policyRefs?: readonly string[]
  runtimeRefs?: readonly string[]
  reason?: string
  /** How much of a result is shown, and what becomes of the rest. */
  results?: ResultPolicy
  /** What stands in the place of secrets. As the crib says, unless said. */
  redaction?: RedactionWay
}

/** As a caller writes it: for a session, unless said. */
export type SurfaceOptions = Omit<SurfaceRequest, 'scope'> & { scope?: SurfaceScope }

const REQUEST_OPTIONS = {
  scope: 'text',
  tenant: 'text',
  actor: 'text',
  session: 'text',
  above: 'texts',
  approvals: 'text',
  approvalRequired: 'texts',
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

/** What a caller wrote as a request. Throws one sentence where it could not be meant like that. */
export function toSurfaceRequest(given: SurfaceOptions): SurfaceRequest {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  const request = isObject ? { ...given, scope: given.scope ?? 'session' } : (given as SurfaceRequest)
  checkSurfaceRequest(request)
  return request
}

/** Throws one sentence where a request could not be meant like that: a misspelt filter would show too much. */
export function checkSurfaceRequest(request: SurfaceRequest): void {
  checkOptions('crib.surface', request, REQUEST_OPTIONS)
  const { scope, mode, approvals, results, redaction, deferral } = request
  if (!(surfaceScopes as readonly unknown[]).includes(scope)) {
    throw new TypeError(`crib.surface: "scope" must be one of ${surfaceScopes.join(', ')}.`)
  }
  if (mode !== undefined && !(surfaceModes as readonly unknown[]).includes(mode)) {
    throw new TypeError(`crib.surface: "mode" must be one of ${surfaceModes.join(', ')}.`)
  }
  if (approvals !== undefined && approvals !== 'ask' && approvals !== 'none') {
    throw new TypeError('crib.surface: "approvals" must be "ask" or "none".')
  }
  for (const key of ['session', 'client', 'name'] as const) {
    if (request[key] === '')
      throw new TypeError(`crib.surface: "${key}" is empty; leave it out where there is none.`)
  }
  if (deferral) checkDeferralRequest('crib.surface: "deferral"', deferral)
  if (results) checkResultPolicy('crib.surface: "results"', results)
  if (redaction !== undefined && !(redactionWays as readonly unknown[]).includes(redaction)) {
    throw new TypeError(`crib.surface: "redaction" must be one of ${redactionWays.join(', ')}.`)
  }
}
