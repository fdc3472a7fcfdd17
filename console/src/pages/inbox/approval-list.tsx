import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { ApprovalItem } from '../../api/types.js'
import { approvalPath } from '../../paths.js'
import { Link } from '../../shell/router.js'
import { RiskBadge } from '../../ui/badge.js'
import { Text } from '../../ui/text.js'
import { Time } from '../../ui/time.js'

interface ApprovalListProps {
  readonly items: readonly ApprovalItem[]
  readonly selected: string | undefined
  readonly isFiltered: boolean
  /** Where there are more than these. */
  readonly more: { readonly isLoading: boolean; readonly show: () => void } | undefined
}

export function ApprovalList({ items, selected, isFiltered, more }: ApprovalListProps): ReactNode {
  const list = useRef<HTMLUListElement>(null)
  const [focused, setFocused] = useState<string>()
  const ids = items.map(({ approval }) => approval.approval_id)
  // The list is one stop of the Tab key: behind it is the question, however many wait.
  const stop = [focused, selected].find((id) => id !== undefined && ids.includes(id)) ?? ids[0]
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  return (
    <div className="inbox-list">
      <p className="visually-hidden" role="status">
        {items.length} waiting
      </p>
      <p id="inbox-keys" className="visually-hidden">
        The arrow keys move in the list.
      </p>
      <ul
        ref={list}
        aria-label="Waiting questions"
        aria-describedby="inbox-keys"
        onKeyDown={moveFocus}
        onBlur={() => setFocused(undefined)}
      >
        {items.map((item) => {
          const { approval_id: id } = item.approval
          return (
            <li key={id} onFocus={() => setFocused(id)}>
              <Row item={item} isSelected={id === selected} isStop={id === stop} />
            </li>
          )
        })}
      </ul>
      {items.length === 0 && (
        <p className="muted inbox-note">
          {isFiltered ? 'Nothing matches the filter.' : 'Nothing else waits.'}
        </p>
      )}
      {more !== undefined && (
        <p className="inbox-note">
          <button type="button" className="button" disabled={more.isLoading} onClick={more.show}>
            Show more
          </button>
        </p>
      )}
    </div>
  )
}

/** The arrow keys, Home and End move between the rows. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const rows = [...event.currentTarget.querySelectorAll('a')]
  const at = rows.findIndex((row) => row === document.activeElement)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
  if (next === undefined) return
  event.preventDefault()
  rows[next]?.focus()
}

interface RowProps {
  readonly item: ApprovalItem
  readonly isSelected: boolean
  /** Whether the Tab key leads to this row. */
  readonly isStop: boolean
}

function Row({ item, isSelected, isStop }: RowProps): ReactNode {
  const { approval, risk, tool_name } = item
  // The usual title is the name of the tool and its own title: the arguments say more than the rest of it.
  const isUsual = approval.title.startsWith(tool_name)
  const what = isUsual ? inputWords(approval.input) : tool_name
  return (
    <Link
      to={approvalPath(approval.approval_id)}
      className="inbox-row"
      aria-current={isSelected ? 'true' : undefined}
      tabIndex={isStop ? 0 : -1}
    >
      <span className="inbox-row-title cut">
        <Text>{isUsual ? tool_name : approval.title}</Text>
      </span>
      <RiskBadge risk={risk} />
      <span className="muted cut">
        <Text>{`${approval.requested_by.actor ?? 'unnamed agent'} · ${what}`}</Text>
      </span>
      <span className="muted">
        <Time at={approval.created_at} />
      </span>
    </Link>
  )
}

const MOST_CHARS = 200

/** The arguments in one line, to tell questions about the same tool apart. */
function inputWords(input: unknown): string {
  if (typeof input !== 'object' || input === null) return JSON.stringify(input) ?? ''
  return Object.entries(input)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
    .slice(0, MOST_CHARS)
}
