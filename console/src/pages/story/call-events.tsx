import { useEffect, type ReactNode } from 'react'
import { listCallEvents } from '../../api/client.js'
import type { CallStory, List, ToolEvent } from '../../api/types.js'
import { eventMeaning } from '../../../../src/contract/event-table.js'
import { usePages } from '../../live/use-pages.js'
import { Link, navigate, setQuery, useAddress } from '../../shell/router.js'
import { Dialog } from '../../ui/dialog.js'
import { Loading } from '../../ui/empty.js'
import { ErrorBox } from '../../ui/error-box.js'
import { Json } from '../../ui/json.js'
import { Text } from '../../ui/text.js'
import { clockTime, duration, useExactTimes } from '../../ui/time.js'
import { VirtualTable, type Column } from '../../ui/virtual-table.js'
import { detailOf } from './run-steps.js'

const PAGE_SIZE = 1_000

/** Every event of the call, as it was recorded. */
export function CallEvents({ story }: { readonly story: CallStory }): ReactNode {
  const { invocation_id: id, created_at: created } = story.invocation
  const { path, query } = useAddress()
  const isOpen = story.result === undefined
  const events = usePages(id, {
    loadPage: (cursor, signal) => loadPage(id, { cursor, isOpen, signal }),
    idOf: (event: ToolEvent) => event.event_id,
  })
  // The end of the list is shown, and the call went on.
  const behind = story.event_count - events.items.length
  useEffect(() => {
    if (behind > 0 && behind < PAGE_SIZE && !events.isLoading) events.loadMore()
  }, [behind, events.isLoading])
  const shown = events.items.find((event) => String(sequenceOf(event)) === query.get('event'))
  const isExact = useExactTimes()
  const timeOf = ({ time }: ToolEvent): string =>
    isExact ? clockTime(Date.parse(time)) : duration(Math.max(0, Date.parse(time) - Date.parse(created)))
  const linkOf = (event: ToolEvent): string => `${path}?tab=events&event=${sequenceOf(event)}`
  return (
    <>
      <ErrorBox error={events.error} onRetry={events.refresh} />
      {events.items.length === 0 ? (
        <Loading />
      ) : (
        <VirtualTable
          label="Events"
          items={events.items}
          columns={columnsOf(timeOf, linkOf)}
          idOf={(event) => event.event_id}
          onOpen={(event) => navigate(linkOf(event))}
          onEnd={events.loadMore}
          hasMore={events.hasMore}
          renderNarrow={(event) => (
            <div className="event-narrow">
              <span className="event-narrow-head">
                <Link to={linkOf(event)} className="cut">
                  {event.event_type}
                </Link>
                <span className="muted">{timeOf(event)}</span>
              </span>
              <span className="muted cut">
                <Text>{eventDetail(event)}</Text>
              </span>
            </div>
          )}
        />
      )}
      {shown !== undefined && (
        <Dialog title={shown.event_type} onClose={() => setQuery({ event: '' })}>
          <p className="muted">{eventMeaning[shown.event_type]}</p>
          <Json value={shown} label={shown.event_type} depth={3} />
        </Dialog>
      )}
    </>
  )
}

/** While the call runs, more events may follow the last one. */
async function loadPage(
  id: string,
  ask: { readonly cursor: string | undefined; readonly isOpen: boolean; readonly signal: AbortSignal },
): Promise<List<ToolEvent>> {
  const { cursor, isOpen, signal } = ask
  const from = cursor === undefined ? {} : { cursor }
  const page = await listCallEvents(id, { ...from, limit: PAGE_SIZE }, signal)
  const last = page.items.at(-1)
  const end = last === undefined ? cursor : String(sequenceOf(last))
  return isOpen && page.next_cursor === undefined && end !== undefined ? { ...page, next_cursor: end } : page
}

function columnsOf(
  timeOf: (event: ToolEvent) => string,
  linkOf: (event: ToolEvent) => string,
): readonly Column<ToolEvent>[] {
  return [
    { title: 'Number', width: '64px', isNumber: true, render: (event) => sequenceOf(event) },
    {
      title: 'Time',
      width: '96px',
      isNumber: true,
      render: timeOf,
    },
    {
      title: 'Event',
      width: 'minmax(200px, 2fr)',
      render: (event) => <Link to={linkOf(event)}>{event.event_type}</Link>,
    },
    {
      title: 'What it says',
      width: 'minmax(0, 4fr)',
      render: (event) => <Text>{eventDetail(event)}</Text>,
    },
  ]
}

function sequenceOf(event: ToolEvent): number {
  return Number(event.toolcrib?.['sequence'] ?? 0)
}

function eventDetail({ event_type: type, data = {} }: ToolEvent): string {
  const {
    progress,
    hook,
    hook_id: hookId,
    decision,
    mutation,
  } = data as Record<string, Record<string, unknown>>
  if (progress !== undefined) {
    const percent = progress['percent']
    const amount = typeof percent === 'number' ? `${Math.round(percent)} % ` : ''
    return `${amount}${textOf(progress['message'] ?? progress['current_step'])}`
  }
  const reason = decision?.['reason'] as Record<string, unknown> | undefined
  const found =
    detailOf(data) ?? textOf(reason?.['message'] ?? mutation?.['reason'] ?? hook?.['hook_id'] ?? hookId)
  return found === '' ? eventMeaning[type] : found
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
