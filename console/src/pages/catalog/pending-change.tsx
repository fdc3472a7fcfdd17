import type { ReactNode } from 'react'
import { acceptTool } from '../../api/client.js'
import type { ToolDetail } from '../../api/types.js'
import { useAction } from '../../live/use-action.js'
import { refreshResources } from '../../live/use-resource.js'
import { hasRole, useSession } from '../../shell/session.js'
import { Diff } from '../../ui/diff.js'
import { ErrorBox } from '../../ui/error-box.js'
import { showToast } from '../../ui/toast.js'

interface PendingChangeProps {
  readonly tool: ToolDetail
  readonly change: NonNullable<ToolDetail['change']>
}

/** What the source changed. Exactly what is shown here is accepted: the digest names it. */
export function PendingChange({ tool, change }: PendingChangeProps): ReactNode {
  const session = useSession()
  const mayAccept = hasRole(session, 'operator')
  const action = useAction()
  const accept = (): void =>
    action.run(async () => {
      try {
        await acceptTool(tool.tool_id, change.digest)
        showToast({ text: `${tool.name} is accepted and can be called again.`, tone: 'good' })
      } finally {
        refreshResources('tool')
      }
    })
  return (
    <section className="section pending-change" aria-labelledby="pending-change">
      <h2 id="pending-change">The source changed this tool</h2>
      <p>
        It cannot be called until an operator accepts the change: a changed description or schema can lead a
        model to do something else. These lines are all that differs from the accepted definition.
      </p>
      <Diff lines={change.lines} label="What changed since the accepted definition" isWhole />
      <ErrorBox error={action.error} />
      <div className="actions">
        <button
          type="button"
          className="button primary"
          disabled={!mayAccept || action.isBusy}
          onClick={accept}
        >
          Accept this change
        </button>
        {!mayAccept && <span className="muted">Only an operator can accept it.</span>}
      </div>
    </section>
  )
}
