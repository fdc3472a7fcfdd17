import type { CallerView } from '../../catalog/execute-context.js'
import type { CallState } from '../call-state.js'
import { refCallerOf } from '../refs/hold-refs.js'
import type { ExecuteRun } from './execute-ports.js'

/** What the caller of this call may see. */
export function callerView(call: CallState, run: ExecuteRun, signal: () => AbortSignal): CallerView {
  const { ports, surface, row } = run
  return {
    explain({ name, input }) {
      const tool = ports.catalog.find(name)
      // A blocked tool is explained: the surface names it and the reason.
      if (!tool || surface.visibilityOf(tool).state === 'excluded') return undefined
      const { mode, role, workspace, approvalRequired } = surface.request
      const { actor, session, tenant } = row
      const caller = { mode, role, workspace, approvalRequired, actor, session, tenant }
      return ports.explain({ ...caller, tool: tool.toolId, input, surfaceId: call.surfaceId })
    },
    async *artifacts() {
      for await (const artifact of ports.artifacts.list(row.tenant))
        if (artifact.removed_at === undefined) yield artifact
    },
    async content(ref) {
      const who = refCallerOf(run)
      const pinned = await ports.refs.pin(ref, row.tenant)
      await ports.refs.find(pinned, who, 'content')
      return (await ports.refs.content(pinned, who, signal())).value(() => true)
    },
  }
}
