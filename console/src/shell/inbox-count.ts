import { useEffect } from 'react'
import { listApprovals } from '../api/client.js'
import type { ApprovalItem, List } from '../api/types.js'
import { useResource, type Resource } from '../live/use-resource.js'
import { hasRole, useSession } from './session.js'

export const INBOX_KEY = 'approvals pending'
const PAGE_SIZE = 500
/** How many pages are loaded: the first, and those that the person asked for. */
let pagesShown = 1

interface Inbox extends Resource<List<ApprovalItem>> {
  readonly refresh: () => void
  /** Loads one more page. */
  readonly showMore: () => void
}

/** What waits for a person, for those who may see it. The navigation and the inbox share it. */
export function useInbox(): Inbox {
  const mayRead = hasRole(useSession(), 'reviewer', 'operator', 'auditor')
  const inbox = useResource(mayRead ? INBOX_KEY : undefined, loadInbox, {
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
  })
  const showMore = (): void => {
    pagesShown++
    inbox.refresh()
  }
  return { ...inbox, showMore }
}

async function loadInbox(signal: AbortSignal): Promise<List<ApprovalItem>> {
  let page = await listApprovals({ status: 'pending', limit: PAGE_SIZE }, signal)
  const items = [...page.items]
  for (let pages = 1; pages < pagesShown && page.next_cursor !== undefined; pages++) {
    page = await listApprovals({ status: 'pending', limit: PAGE_SIZE, cursor: page.next_cursor }, signal)
    items.push(...page.items)
  }
  return { ...page, items }
}

/** How many wait, as the navigation and the title of the tab show it. */
export function useInboxCount(): string {
  const { data } = useInbox()
  if (data === undefined) return ''
  return `${data.items.length}${data.next_cursor === undefined ? '' : '+'}`
}

/** The title of the tab, with the count in front: a reviewer sees it while the tab is in the background. */
export function useTitle(title: string): void {
  const count = useInboxCount()
  useEffect(() => {
    document.title = `${count === '' || count === '0' ? '' : `(${count}) `}${title} · Toolcrib`
  }, [title, count])
}
