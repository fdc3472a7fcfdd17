import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { ApprovalItem } from '../../api/types.js'
import { approvalPath } from '../../paths.js'
import { useInbox, useInboxCount } from '../../shell/inbox-count.js'
import { useKeys } from '../../shell/keys.js'
import { Link, navigate, useAddress } from '../../shell/router.js'
import { Empty, Loading } from '../../ui/empty.js'
import { ErrorBox } from '../../ui/error-box.js'
import { PageHeader } from '../../ui/page-header.js'
import { useMedia } from '../../ui/virtual-table.js'
import { ApprovalDetail, QUESTION_TITLE } from './approval-detail.js'
import { ApprovalList } from './approval-list.js'
import './inbox.css'

/** What waits for a person: a list, and one question with everything that is needed to decide. */
export default function InboxPage(): ReactNode {
  const { data, error, refresh, isLoading, showMore } = useInbox()
  const count = useInboxCount()
  const [filter, setFilter] = useState('')
  const { query } = useAddress()
  const isNarrow = useMedia('(max-width: 899px)')
  const all = data?.items ?? []
  const items = all.filter((item) => matches(item, filter))
  const selected = query.get('approval') ?? (isNarrow ? undefined : items[0]?.approval.approval_id)
  const select = (id: string | undefined): void =>
    navigate(id === undefined ? '/inbox' : approvalPath(id), { replace: !isNarrow })
  useMoveKeys(items, selected, select)
  const focusNext = useFocusNext(selected)
  // Without an address of its own, the first question would change under the eyes of the reviewer.
  useEffect(() => {
    if (selected !== undefined && !query.has('approval')) select(selected)
  })
  if (data === undefined)
    return error === undefined ? <Loading /> : <ErrorBox error={error} onRetry={refresh} />
  const known = all.find((item) => item.approval.approval_id === selected)
  const isListShown = !isNarrow || selected === undefined
  return (
    <>
      <PageHeader title="Inbox" note={all.length === 0 ? undefined : `${count} waiting`}>
        {isListShown && all.length > 0 && (
          <input
            type="search"
            className="input"
            aria-label="Filter the inbox"
            placeholder="Filter"
            data-search
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        )}
      </PageHeader>
      <ErrorBox error={error} onRetry={refresh} />
      {all.length === 0 && selected === undefined ? (
        <NothingWaits />
      ) : (
        <div className="inbox">
          {isListShown && (
            <ApprovalList
              items={items}
              selected={selected}
              isFiltered={filter !== ''}
              more={data.next_cursor === undefined ? undefined : { isLoading, show: showMore }}
            />
          )}
          {selected !== undefined && (
            <section key={selected} className="inbox-detail" aria-label="Question">
              {isNarrow && (
                <Link to="/inbox" className="back-link">
                  Back to the inbox
                </Link>
              )}
              <ApprovalDetail
                id={selected}
                known={known}
                onAnswered={(id) => {
                  focusNext()
                  select(neighbor(items, id, isNarrow))
                }}
              />
            </section>
          )}
        </div>
      )}
    </>
  )
}

function matches({ approval, tool_name }: ApprovalItem, filter: string): boolean {
  const { title, session, requested_by, queue, message } = approval
  return [title, tool_name, session, requested_by.actor, requested_by.client, queue, message].some((text) =>
    text?.toLowerCase().includes(filter.trim().toLowerCase()),
  )
}

/** The question after an answered one, or the one before where it was the last. */
function neighbor(items: readonly ApprovalItem[], id: string, isNarrow: boolean): string | undefined {
  const at = items.findIndex((item) => item.approval.approval_id === id)
  const next = items[at + 1] ?? (isNarrow ? undefined : items[at - 1])
  return next?.approval.approval_id
}

/** After an answer the buttons are gone: the focus goes to the next question, or to the page. */
function useFocusNext(selected: string | undefined): () => void {
  const isWanted = useRef(false)
  useEffect(() => {
    if (!isWanted.current) return
    const target = document.getElementById(selected === undefined ? 'main' : QUESTION_TITLE)
    if (target === null) return
    isWanted.current = false
    target.focus()
  })
  return () => {
    isWanted.current = true
  }
}

function useMoveKeys(
  items: readonly ApprovalItem[],
  selected: string | undefined,
  select: (id: string) => void,
): void {
  const move = (step: number): void => {
    const at = items.findIndex((item) => item.approval.approval_id === selected)
    const next = items[at === -1 ? 0 : at + step]
    if (next !== undefined) select(next.approval.approval_id)
  }
  useKeys([
    { keys: 'j', label: 'Next question', group: 'Inbox', run: () => move(1) },
    { keys: 'k', label: 'Previous question', group: 'Inbox', run: () => move(-1) },
  ])
}

function NothingWaits(): ReactNode {
  return (
    <Empty title="Nothing waits for you" command="toolcrib rules add ask <tool>">
      When a rule asks for a person, or a tool has a question, it appears here with its exact arguments, and
      the call waits. A rule that asks fills this page.
    </Empty>
  )
}
