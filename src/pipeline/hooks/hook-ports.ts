import type { CallRun, RunPorts } from '../call-run.js'
import type { MappedState } from '../map-result/mapped-state.js'
import type { MaskPorts } from '../map-result/mask-ports.js'
import type { Cleaned } from '../secrets/clean.js'
import type { HookState } from './hook-state.js'
import type { HookDefinition } from '../../hooks/hook.js'
import type { Policy } from '../../policy/policy.js'

export interface HookPorts extends RunPorts {
  readonly hooks: readonly HookDefinition[]
  /** Names the permission mode, which hooks receive. */
  readonly policy: Policy
}

/** Hooks after the tool may replace its output, which is then mapped again. */
export type PostHookRun = CallRun<HookPorts & MaskPorts> & HookState & MappedState & Cleaned

export type HookedRun = CallRun<HookPorts> & HookState
