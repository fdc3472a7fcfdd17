import { useEffect } from 'react'
import { listApprovals } from '../api/client.js'
import type { ApprovalItem, List } from '../api/types.js'
import { useResource, type Resource } from '../live/use-resource.js'
import { hasRole, useSession } from './session.js'

export const INBOX_KEY = 'approvals pending'
const MOST = 500

/** What waits for a person, for those who may see it. The navigation and the inbox share it. */
export function useInbox(): Resource<List<ApprovalItem>> & { refresh: () => void } {
  const mayRead = hasRole(useSession(), 'reviewer', 'operator', 'auditor')
  return useResource(
    mayRead ? INBOX_KEY : undefined,
    (signal) => listApprovals({ status: 'pending', limit: MOST }, signal),
    {
      events: {
        types: [
          'tool.permission.',
          'toolcrib.approval.',
          'toolcrib.invocation.',
          'tool.invocation.canceled',
          'tool.invocation.timed_out',
          'tool.invocation.failed',
        ],
      },
    },
  )
}

/** How many wait, as the navigation and the title of the tab show it. */
export function useInboxCount(): string {
  const { data } = useInbox()
  if (data === undefined) return ''
  return data.items.length < MOST ? String(data.items.length) : `${MOST}+`
}

/** The title of the tab, with the count in front: a reviewer sees it while the tab is in the background. */
export function useTitle(title: string): void {
  const count = useInboxCount()
  useEffect(() => {
    document.title = `${count === '' || count === '0' ? '' : `(${count}) `}${title} · Toolcrib`
  }, [title, count])
}
