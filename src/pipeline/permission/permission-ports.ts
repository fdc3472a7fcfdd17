import type { CallRun } from '../call-run.js'
import type { RefState } from '../refs/held-refs.js'
import type { ResolvedTool } from '../resolve-tool/resolved-tool.js'
import type { Cleaned } from '../secrets/clean.js'
import type { PermissionState } from './permission-state.js'
import type { HookPorts } from '../hooks/hook-ports.js'
import type { RefPorts } from '../refs/ref-ports.js'
import type { Approvals } from './approvals.js'
import type { JudgePorts } from './judge-ports.js'

export interface PermissionPorts extends JudgePorts, RefPorts, HookPorts {
  /** Absent if approvals cannot be requested. */
  readonly approvals?: Approvals | undefined
}

/** A call that needs permission. Its tool and secrets change if an approval finds another version of the tool. */
export type PermissionRun = CallRun<PermissionPorts> & PermissionState & ResolvedTool & Cleaned & RefState
