import { abortReasons, invocationStatuses, resultStatuses } from '../../../contract/unions.js'
import type { InvocationsQuery } from '../../../crib/queries/queries.js'
import { EVERYONE, READERS } from '../role-groups.js'
import { readCallStory } from '../call-story.js'
import { explainCall } from '../explain-call.js'
import { invocationSummaries, invocationSummarySchema } from '../invocation-summary.js'
import { recordRef } from '../openapi-document.js'
import { badRequest, gone, notFound } from '../problem.js'
import { readTime } from '../requests/read-time.js'
import type { ApiRequest, Route } from '../route.js'
import { anything, input, listOf, named, paging, shape, text, time } from '../shapes.js'

const tag = 'Invocations'

/** The actor whose records a caller may read; nothing for those who may read all of them. */
export function ownActor({ identity: { caller } }: Pick<ApiRequest, 'identity'>): string | undefined {
  return caller.roles.some((role) => READERS.includes(role)) ? undefined : caller.actor
}

/** Throws where there is no such call, or where it is the call of another caller. */
export async function findCall(request: Pick<ApiRequest, 'api' | 'identity' | 'tenant'>, id: string) {
  const story = await request.api.crib.story(id, { tenant: request.tenant })
  const own = ownActor(request)
  if (story && (own === undefined || story.invocation.actor_ref === own)) return story
  const deleted =
    own === undefined ? await request.api.crib.deletedRecord(id, { tenant: request.tenant }) : undefined
  if (deleted) throw gone(deleted)
  throw notFound(`There is no call ${id.slice(0, 100)}; GET /invocations lists what there is.`)
}

const list: Route = {
  method: 'get',
  path: '/invocations',
  operationId: 'listInvocations',
  tag,
  summary: 'List calls',
  roles: EVERYONE,
  query: {
    tool: named('Any name of a tool.'),
    source: named('The source of the tools, as /statistics names it.'),
    status: {
      type: 'array',
      items: { enum: invocationStatuses },
      description: 'Statuses, separated by commas.',
    },
    result_status: { type: 'array', items: { enum: resultStatuses }, description: 'Statuses of results.' },
    actor: named('Who made the call.'),
    session: named('The session of the call.'),
    surface: named('The id of a surface.'),
    since: { type: 'string', format: 'date-time', description: 'Made at or after this time.' },
    until: { type: 'string', format: 'date-time', description: 'Made before this time.' },
    order: { enum: ['newest', 'oldest'], default: 'newest' },
    ...paging,
  },
  success: [{ status: 200, description: 'A page of calls.', schema: listOf(invocationSummarySchema) }],
  async handle(request) {
    const { stories, cursor } = await request.api.crib.storyPage(toQuery(request))
    return {
      status: 200,
      body: { items: stories.map(invocationSummaries(request.api.crib)), next_cursor: cursor },
    }
  },
}

function toQuery(request: ApiRequest): InvocationsQuery {
  const { since, until, order, limit, cursor, result_status, ...rest } = request.query as Record<
    string,
    string
  >
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor))
    throw badRequest('The cursor is none of this list; begin without one.')
  const own = ownActor(request)
  return {
    ...(rest as InvocationsQuery),
    ...(own !== undefined && { actor: own }),
    ...(result_status !== undefined && { resultStatus: result_status as never }),
    since: readTime(since, 'query/since'),
    until: readTime(until, 'query/until'),
    ...(cursor !== undefined && { cursor }),
    limit: Number(limit ?? 50),
    newestFirst: order !== 'oldest',
    tenant: request.tenant,
  }
}

const read: Route = {
  method: 'get',
  path: '/invocations/{invocation_id}',
  operationId: 'getInvocation',
  tag,
  summary: 'Read a call and its result',
  roles: EVERYONE,
  success: [
    {
      status: 200,
      description: 'The call; its result once it has ended.',
      schema: shape({ invocation: recordRef('tool_invocation'), result: recordRef('tool_result') }, [
        'invocation',
      ]),
    },
  ],
  async handle(request) {
    const { invocation, result } = await findCall(request, request.params['invocation_id']!)
    return { status: 200, body: { invocation, result } }
  },
}

const story: Route = {
  method: 'get',
  path: '/invocations/{invocation_id}/story',
  operationId: 'getInvocationStory',
  tag,
  summary: 'Read everything about a call',
  description:
    'Its inputs and their changes, hooks, decisions, approvals, attempts, progress, result and related calls.',
  roles: EVERYONE,
  success: [
    {
      status: 200,
      description: 'The story of the call.',
      schema: shape(
        {
          tool_name: text,
          invocation: recordRef('tool_invocation'),
          result: recordRef('tool_result'),
          decisions: { type: 'array', items: recordRef('tool_permission_decision') },
          mutations: { type: 'array', items: recordRef('tool_input_mutation') },
          hooks: { type: 'array', items: recordRef('tool_hook') },
          progress: { type: 'array', items: recordRef('tool_progress'), description: 'The last 200.' },
          outline: {
            type: 'array',
            description: 'What happened, in order. A run of progress is one of them, with its count.',
            items: shape(
              {
                sequence: { type: 'integer' },
                event_type: text,
                time,
                count: { type: 'integer' },
                data: { type: 'object', description: 'Absent where the story has it as a record.' },
              },
              ['sequence', 'event_type', 'time'],
            ),
          },
          persistence: recordRef('tool_result_persistence'),
          partials_count: { type: 'integer' },
          inputs: {
            type: 'array',
            items: anything,
            description: 'All versions; the first is that of the model.',
          },
          diffs: {
            type: 'array',
            items: shape({
              from: { type: 'integer' },
              to: { type: 'integer' },
              lines: { type: 'array', items: text },
            }),
          },
          approvals: { type: 'array', items: recordRef('toolcrib_approval') },
          explained: { type: 'object', description: 'The rules that are considered for it now.' },
          parent: invocationSummarySchema,
          children: { type: 'array', items: invocationSummarySchema },
          batch: shape({ batch_id: text, members: { type: 'array', items: invocationSummarySchema } }),
          event_count: { type: 'integer' },
          trace_refs: { type: 'array', items: { type: 'object' } },
        },
        ['invocation', 'decisions', 'inputs', 'outline', 'event_count'],
      ),
    },
  ],
  async handle(request) {
    const { api, tenant, params } = request
    const known = await findCall(request, params['invocation_id']!)
    const { invocation } = known
    const found = await readCallStory(api, known, tenant)
    const { session, mode } = (invocation.toolcrib ?? {}) as { session?: string; mode?: string }
    const explained =
      api.crib.tool(invocation.tool_id) === undefined
        ? undefined
        : explainCall(request, {
            tool: invocation.tool_id,
            input: invocation.permission_input ?? invocation.model_input,
            actor: invocation.actor_ref,
            surfaceId: invocation.surface_id,
            session,
            mode,
          })
    return { status: 200, body: { ...found, explained } }
  },
}

const events: Route = {
  method: 'get',
  path: '/invocations/{invocation_id}/events',
  operationId: 'listInvocationEvents',
  tag,
  summary: 'List the events of a call',
  roles: EVERYONE,
  query: {
    limit: { ...paging.limit, maximum: 5000, default: 500 },
    cursor: { type: 'string', pattern: '^\\d{1,9}$', description: 'The next_cursor of the page before.' },
  },
  success: [{ status: 200, description: 'A page of events.', schema: listOf(recordRef('tool_event')) }],
  async handle(request) {
    const { api, tenant, params, query } = request
    const { invocation_id: id } = (await findCall(request, params['invocation_id']!)).invocation
    const after = Number(query['cursor'] ?? 0)
    const limit = Number(query['limit'] ?? 500)
    const items = []
    for await (const event of api.crib.events({ invocation: id, tenant })) {
      if (event.toolcrib.sequence <= after) continue
      if (items.length === limit)
        return { status: 200, body: { items, next_cursor: String(items.at(-1)!.toolcrib.sequence) } }
      items.push(event)
    }
    return { status: 200, body: { items } }
  },
}

const cancel: Route = {
  method: 'post',
  path: '/invocations/{invocation_id}/cancel',
  operationId: 'cancelInvocation',
  tag,
  summary: 'Ask a call to stop',
  description: 'The call still ends with its one result, which may be a success that came first.',
  roles: ['caller', 'operator'],
  body: input({ reason: { enum: abortReasons } }),
  success: [
    {
      status: 202,
      description: 'The call was asked to stop.',
      schema: shape({ invocation_id: text, status: text }),
    },
  ],
  async handle(request) {
    const { api, tenant, params, body, identity } = request
    const { invocation } = await findCall(request, params['invocation_id']!)
    const mayStop =
      identity.caller.roles.includes('operator') || invocation.actor_ref === identity.caller.actor
    if (!mayStop) throw notFound('There is no such call of yours.')
    const { reason } = body as { reason?: (typeof abortReasons)[number] }
    const outcome = await api.crib.task(invocation.invocation_id, { tenant }).cancel(reason)
    const status = outcome === 'requested' ? 'cancel_requested' : 'ended'
    return { status: 202, body: { invocation_id: invocation.invocation_id, status } }
  },
}

export const invocationRoutes = [list, read, story, events, cancel]
