import { useState, type ReactNode } from 'react'
import { cancelInvocation, getStory } from '../../api/client.js'
import type { CallStory, InvocationSummary } from '../../api/types.js'
import { useResource } from '../../live/use-resource.js'
import type { PageProps } from '../../pages.js'
import { Link } from '../../shell/router.js'
import { hasRole, useSession } from '../../shell/session.js'
import { StatusBadge } from '../../ui/badge.js'
import { Empty, Loading } from '../../ui/empty.js'
import { ErrorBox } from '../../ui/error-box.js'
import { Json } from '../../ui/json.js'
import { PageHeader } from '../../ui/page-header.js'
import { Tabs, useTab, type Tab } from '../../ui/tabs.js'
import { visibleText } from '../../ui/text.js'
import { duration, ExactTimes, Time, useNow } from '../../ui/time.js'
import { showToast } from '../../ui/toast.js'
import { CallEvents } from './call-events.js'
import { CallFacts } from './call-facts.js'
import { Timeline } from './timeline.js'
import { hasRelated, Waterfall } from './waterfall.js'
import './story.css'

/** Everything about one call. A call that still runs is followed. */
export default function StoryPage({ params }: PageProps): ReactNode {
  const id = params['id'] ?? ''
  const { data, error, refresh } = useResource(`story ${id}`, (signal) => getStory(id, signal), {
    events: { invocation: id },
  })
  if (data !== undefined) return <Story story={data} />
  return (
    <>
      <PageHeader title="Call" />
      {error === undefined ? (
        <Loading />
      ) : error.status === 404 ? (
        <Empty title="There is no such call">
          Its record may have been deleted, or it belongs to another agent.{' '}
          <Link to="/calls">Show all calls</Link>
        </Empty>
      ) : (
        <div className="page-body">
          <ErrorBox error={error} onRetry={refresh} />
        </div>
      )}
    </>
  )
}

function Story({ story }: { readonly story: CallStory }): ReactNode {
  const tabs: readonly [Tab<TabName>, ...Tab<TabName>[]] = [
    { name: 'story', title: 'Story' },
    { name: 'events', title: `Events ${story.event_count.toLocaleString()}` },
    { name: 'record', title: 'Record' },
  ]
  const tab = useTab(tabs)
  const own = summaryOf(story)
  return (
    <>
      <PageHeader title={visibleText(own.tool_name)} note={<Outcome call={own} />}>
        <ExactTimes />
        {own.ended_at === undefined && <CancelButton story={story} />}
      </PageHeader>
      <Tabs label="Parts of the call" tabs={tabs} current={tab} />
      {tab === 'story' && (
        <div className="page-body story">
          <div className="story-main">
            {hasRelated(story) && <Waterfall story={story} own={own} />}
            <section className="section" aria-labelledby="timeline-title">
              <h2 id="timeline-title" className="visually-hidden">
                Timeline
              </h2>
              <Timeline story={story} />
            </section>
          </div>
          <CallFacts story={story} />
        </div>
      )}
      {tab === 'events' && <CallEvents story={story} />}
      {tab === 'record' && (
        <div className="page-body">
          <Json value={story.invocation} label="The record of the call" depth={2} />
        </div>
      )}
    </>
  )
}

type TabName = 'story' | 'events' | 'record'

/** The call as lists have it. */
function summaryOf({ invocation, result, tool_name }: CallStory): InvocationSummary {
  const { ended_at: ended, started_at: started, toolcrib: own = {} } = invocation
  const requested = own['requested_name']
  return {
    invocation_id: invocation.invocation_id,
    tool_id: invocation.tool_id,
    tool_name,
    ...(typeof requested === 'string' ? { requested_name: requested } : {}),
    surface_id: invocation.surface_id ?? '',
    status: invocation.status,
    ...(result === undefined ? {} : { result_status: result.status }),
    created_at: invocation.created_at,
    ...(started === undefined ? {} : { started_at: started }),
    ...(ended === undefined ? {} : { ended_at: ended }),
  }
}

function Outcome({ call }: { readonly call: InvocationSummary }): ReactNode {
  return (
    <span className="outcome">
      <StatusBadge status={call.result_status ?? call.status} />
      {call.ended_at === undefined ? (
        <Elapsed since={call.created_at} />
      ) : (
        <span>took {duration(Date.parse(call.ended_at) - Date.parse(call.created_at))}</span>
      )}
      <Time at={call.created_at} />
    </span>
  )
}

function Elapsed({ since }: { readonly since: string }): ReactNode {
  const now = useNow()
  return <span>for {duration(Math.max(0, now - Date.parse(since)))}</span>
}

function CancelButton({ story }: { readonly story: CallStory }): ReactNode {
  const session = useSession()
  const [isAsked, setAsked] = useState(false)
  const { invocation_id: id, actor_ref: actor, cancel_requested: isStopping } = story.invocation
  if (!hasRole(session, 'operator') && actor !== session.actor) return null
  const cancel = (): void => {
    setAsked(true)
    cancelInvocation(id).catch((error: unknown) => {
      setAsked(false)
      showToast({ text: error instanceof Error ? error.message : String(error), tone: 'bad' })
    })
  }
  return (
    <button type="button" className="button" disabled={isAsked || isStopping === true} onClick={cancel}>
      {isAsked || isStopping === true ? 'Stopping…' : 'Cancel the call'}
    </button>
  )
}
