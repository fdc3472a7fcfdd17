import { fromCursor, toCursor } from '../../../storage/journal/complete-event.js'
import type { LoggedEvent } from '../../../storage/journal/complete-chunk.js'
import { recordRef } from '../openapi-document.js'
import { badRequest, Problem } from '../problem.js'
import { EVERYONE } from '../role-groups.js'
import type { ApiRequest, Route } from '../route.js'
import { named, paging, shape, text } from '../shapes.js'
import { ownActor } from './invocations.js'

const pageSchema = shape(
  {
    items: { type: 'array', items: recordRef('tool_event') },
    next_cursor: { ...text, description: 'Where to go on, also after the last event that there is.' },
  },
  ['items', 'next_cursor'],
)

const events: Route = {
  method: 'get',
  path: '/events',
  operationId: 'listEvents',
  tag: 'Events',
  summary: 'Read or follow the log',
  description:
    'With "accept: text/event-stream" the answer is a stream of server-sent events that goes on until the client ends it. The id of each is its cursor: a client that sends it as Last-Event-ID misses nothing. Otherwise the answer is a page. It always gives the cursor to go on from, also where nothing follows yet: send it as "from".',
  roles: EVERYONE,
  query: {
    from: {
      type: 'string',
      maxLength: 40,
      description:
        'A cursor, "start" or "now". Default: now for a stream, start for a page. A cursor beyond the end of the log, such as one from before a restore, counts as "now".',
    },
    session: named('Only events of calls of this session.'),
    invocation: named('Only events of this call.'),
    types: {
      type: 'array',
      items: text,
      description: 'Event types, separated by commas; "tool.invocation.*" is all of a kind.',
    },
    limit: paging.limit,
  },
  success: [
    { status: 200, description: 'A page of events.', schema: pageSchema },
    { status: 200, description: 'The events.', schema: text, mediaType: 'text/event-stream' },
  ],
  async handle(request) {
    const isStream = String(request.headers['accept'] ?? '').includes('text/event-stream')
    return isStream ? streamOf(request) : pageOf(request)
  },
}

interface EventsParameters {
  readonly from?: string
  readonly session?: string
  readonly invocation?: string
  readonly types?: readonly string[]
  readonly limit?: number
}

async function positionOf(
  { api, headers }: ApiRequest,
  from: string | undefined,
  usual: 'start' | 'now',
): Promise<number> {
  const last = headers['last-event-id']
  const given = (typeof last === 'string' && last !== '' ? last : from) ?? usual
  if (given === 'start') return 0
  const end = await api.crib.store.lastPosition()
  const position = given === 'now' ? end : fromCursor(given)
  // The cursor of another log, such as that before a restore, is not waited for: the client goes on from now.
  if (position !== undefined) return Math.min(position, end)
  throw badRequest('"from" must be the cursor of an event, "start" or "now".')
}

async function streamOf(request: ApiRequest) {
  const { api, tenant, identity } = request
  const { from, session, invocation, types } = request.query as EventsParameters
  const after = await positionOf(request, from, 'now')
  const filter = { session, invocation, types, actor: ownActor(request) }
  countStream(request)
  return {
    status: 200,
    stream: (response: Parameters<typeof api.events.stream>[0]) =>
      api.events.stream(response, { tenant, after, filter, identity }),
  }
}

/** Throws where the caller has as many streams open as it may. */
function countStream({ api: { openStreams }, identity: { key }, signal }: ApiRequest): void {
  if (!openStreams.begin(key))
    throw new Problem(
      429,
      'rate_limited',
      'You have too many event streams open; end some, or follow several sessions with one stream.',
      { headers: { 'retry-after': '10' } },
    )
  if (signal.aborted) openStreams.end(key)
  else signal.addEventListener('abort', () => openStreams.end(key), { once: true })
}

async function pageOf(request: ApiRequest) {
  const { api, tenant, signal } = request
  const { from, session, invocation, types, limit = 50 } = request.query as EventsParameters
  const after = await positionOf(request, from, 'start')
  const items: LoggedEvent[] = []
  let cursor = toCursor(after)
  const filter = { session, invocation, types, actor: ownActor(request) }
  for await (const event of api.events.read({ tenant, after, filter, signal })) {
    if (items.length === limit) break
    items.push(event)
    cursor = event.toolcrib.cursor ?? cursor
  }
  return { status: 200, body: { items, next_cursor: cursor } }
}

export const eventRoutes = [events]
