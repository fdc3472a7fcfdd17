import type { ReactNode } from 'react'
import type { ToolcribApproval } from '../../api/types.js'
import { callPath } from '../../paths.js'
import { Link } from '../../shell/router.js'
import { Text } from '../../ui/text.js'
import { Time } from '../../ui/time.js'
import { typedMode, useDraft } from './drafts.js'

/** Who answered a question, and what, or why nobody can any more. */
export function Outcome({ approval }: { readonly approval: ToolcribApproval }): ReactNode {
  const [draft] = useDraft(approval.approval_id)
  const hasTyped = typedMode(draft, approval) !== 'read'
  return (
    <div className="notice" role="status">
      <div>
        <p>
          <Words approval={approval} />
        </p>
        {approval.answer?.feedback !== undefined && (
          <blockquote className="prose">
            <Text>{approval.answer.feedback}</Text>
          </blockquote>
        )}
        {hasTyped && <p>What you typed is still here, to copy. It was not sent.</p>}
        <Link to={callPath(approval.invocation_id)}>Open the call</Link>
      </div>
    </div>
  )
}

function Words({
  approval: { answer, status, expires_at },
}: {
  readonly approval: ToolcribApproval
}): ReactNode {
  if (answer !== undefined) {
    const verb = !answer.approved
      ? 'rejected this'
      : answer.content !== undefined
        ? 'answered this'
        : answer.user_modified
          ? 'approved this with other arguments'
          : 'approved this'
    const scope = { once: '', session: ' for the session', always: ' for good' }[answer.scope]
    return (
      <>
        <strong>
          <Text>{answer.by}</Text>
        </strong>{' '}
        {verb + scope} <Time at={answer.at} />.
      </>
    )
  }
  if (status === 'expired')
    return (
      <>
        Nobody answered in time. The question expired <Time at={expires_at} />.
      </>
    )
  if (status === 'withdrawn') return 'The call ended, so the question was withdrawn.'
  if (status === 'superseded') return 'A newer question replaced this one.'
  return 'This question is closed.'
}
