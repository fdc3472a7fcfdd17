import type { ReactNode } from 'react'
import { listLocks } from '../../api/client.js'
import type { InvocationSummary, ListedLock } from '../../api/types.js'
import { useResource } from '../../live/use-resource.js'
import { approvalPath, callPath } from '../../paths.js'
import { Link } from '../../shell/router.js'
import { hasRole, useSession } from '../../shell/session.js'
import { Text } from '../../ui/text.js'

/** What an open call waits for, or what it says about its progress. */
export function WaitsFor({ call }: { readonly call: InvocationSummary }): ReactNode {
  const { approval_id, status, progress } = call
  if (status === 'awaiting_approval' && approval_id !== undefined)
    return <Link to={approvalPath(approval_id)}>Waits for a person: open the question</Link>
  if (status === 'queued') return <QueuedFor call={call} />
  return progress?.message === undefined ? null : <Text>{progress.message}</Text>
}

function QueuedFor({ call }: { readonly call: InvocationSummary }): ReactNode {
  const mayRead = hasRole(useSession(), 'reviewer', 'operator', 'auditor')
  const { data } = useResource(mayRead ? 'locks' : undefined, (signal) => listLocks(signal), {
    events: { types: ['tool.invocation.'] },
  })
  const all = data?.items ?? []
  const waited = all.find(
    ({ invocation_id, state }) => invocation_id === call.invocation_id && state === 'waiting',
  )
  if (waited === undefined) return 'Waits for its turn'
  const holders = all.filter(({ key, state }) => key === waited.key && state === 'held')
  return (
    <>
      {waited.width === undefined ? 'Waits for the lock ' : `Waits for one of ${waited.width} slots of `}
      <code>
        <Text>{waited.key}</Text>
      </code>
      <Holders holders={holders} />
    </>
  )
}

const SHOWN_HOLDERS = 2

function Holders({ holders }: { readonly holders: readonly ListedLock[] }): ReactNode {
  if (holders.length === 0) return null
  return (
    <>
      , held by{' '}
      {holders.slice(0, SHOWN_HOLDERS).map(({ invocation_id: invocationId }, index) => (
        <span key={invocationId}>
          {index > 0 && ', '}
          <Link to={callPath(invocationId)}>{invocationId}</Link>
        </span>
      ))}
      {holders.length > SHOWN_HOLDERS && ` and ${holders.length - SHOWN_HOLDERS} more`}
    </>
  )
}
