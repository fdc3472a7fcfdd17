import { useEffect } from 'react'
import { countApprovals, listApprovals } from '../api/client.js'
import type { ApprovalItem, List } from '../api/types.js'
import { useResource, type Resource } from '../live/use-resource.js'
import { hasRole, useSession } from './session.js'

export const INBOX_KEY = 'approvals pending'
const PAGE_SIZE = 200
/** How many pages are loaded: the first, and those that the person asked for. */
let pagesShown = 1
/** Every page has the count, and under load every call has events of permission. */
const COUNT_PAUSE_MS = 1_000

/** The events after which something else may wait. */
const EVENTS = {
  types: [
    'tool.permission.',
    'toolcrib.approval.',
    'toolcrib.invocation.',
    'tool.invocation.canceled',
    'tool.invocation.timed_out',
    'tool.invocation.failed',
  ],
}

interface Inbox extends Resource<List<ApprovalItem>> {
  readonly refresh: () => void
  /** Loads one more page. */
  readonly showMore: () => void
}

/** What waits for a person, for those who may see it: with all inputs, so only the inbox loads it. */
export function useInbox(): Inbox {
  const inbox = useResource(useMayRead() ? INBOX_KEY : undefined, loadInbox, { events: EVENTS })
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

function useMayRead(): boolean {
  return hasRole(useSession(), 'reviewer', 'operator', 'auditor')
}

/** How many wait, as the navigation and the title of the tab show it. */
export function useInboxCount(): string {
  const { data } = useResource(useMayRead() ? `${INBOX_KEY} count` : undefined, countApprovals, {
    events: EVENTS,
    pauseMs: COUNT_PAUSE_MS,
  })
  return data === undefined ? '' : String(data.waiting)
}

/** The title of the tab, with the count in front: a reviewer sees it while the tab is in the background. */
export function useTitle(title: string): void {
  const count = useInboxCount()
  useEffect(() => {
    document.title = `${count === '' || count === '0' ? '' : `(${count}) `}${title} · Toolcrib`
  }, [title, count])
}
