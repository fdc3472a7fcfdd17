import type { SurfaceScope } from '../../foundation/contract/unions.js'

export const surfaceModes = ['default', 'plan', 'non_interactive'] as const
/** `plan`: nothing that writes. `non_interactive`: nothing that needs a person. */
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
  turn?: string
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
  selectionPolicy?: SelectionPolicy
  defaultToolChoice?: ToolChoice
  /** Capabilities that some loaded tool must offer, or no call is let through. */
  capabilityRequirements?: readonly string[]
  policyRefs?: readonly string[]
  runtimeRefs?: readonly string[]
  reason?: string
}
