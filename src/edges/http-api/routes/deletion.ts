import { recordRef } from '../openapi-document.js'
import { badRequest, notFound } from '../problem.js'
import { readTime } from '../requests/read-time.js'
import { READERS } from '../role-groups.js'
import type { Route } from '../route.js'
import { input, named, shape, text, time } from '../shapes.js'
import { snakeKeys } from '../snake-keys.js'

const tag = 'Invocations'

interface DeleteBody {
  readonly before?: string
  readonly session?: string
  readonly actor?: string
  readonly reason?: string
  readonly dry_run?: boolean
}

interface DeleteEnvelopesBody {
  readonly before: string
  readonly reason?: string
  readonly dry_run?: boolean
}

const remove: Route = {
  method: 'post',
  path: '/invocations/delete',
  operationId: 'deleteInvocations',
  tag,
  summary: 'Delete the records of calls that have ended',
  description:
    'By age, session and actor. Of each call an envelope without content stays, with the digest of what was deleted. Calls that have not ended stay.',
  roles: ['operator'],
  body: input({
    before: { ...time, description: 'Calls that began earlier.' },
    session: named('Calls of this session.'),
    actor: named('Calls of this actor.'),
    reason: { type: 'string', maxLength: 1000, description: 'Why, for the envelopes.' },
    dry_run: { type: 'boolean', default: false, description: 'Count only.' },
  }),
  success: [
    {
      status: 200,
      description: 'How many were deleted, or would be.',
      schema: shape(
        {
          deletion_id: text,
          deleted: { type: 'integer' },
          skipped_open: { type: 'integer' },
          surfaces: { type: 'integer' },
          bytes: { type: 'integer' },
        },
        ['deleted', 'skipped_open'],
      ),
    },
  ],
  async handle({ api, tenant, identity, body }) {
    const { before, session, actor, reason, dry_run: dryRun } = body as DeleteBody
    if (before === undefined && session === undefined && actor === undefined)
      throw badRequest('Say which calls: give "before", "session" or "actor".')
    const deleted = await api.crib.deleteRecords({
      tenant,
      by: identity.caller.person ?? identity.caller.actor,
      before: readTime(before, 'body/before'),
      ...(session !== undefined && { session }),
      ...(actor !== undefined && { actor }),
      ...(reason !== undefined && { reason }),
      ...(dryRun !== undefined && { dryRun }),
    })
    return { status: 200, body: snakeKeys(deleted) }
  },
}

const removeEnvelopes: Route = {
  method: 'post',
  path: '/invocations/envelopes/delete',
  operationId: 'deleteEnvelopes',
  tag,
  summary: 'Delete the envelopes of deleted calls',
  description: 'By the time when the calls were deleted. Nothing stays of these calls.',
  roles: ['operator'],
  body: input(
    {
      before: { ...time, description: 'Envelopes of calls that were deleted earlier.' },
      reason: { type: 'string', maxLength: 1000, description: 'Why, for the event.' },
      dry_run: { type: 'boolean', default: false, description: 'Count only.' },
    },
    ['before'],
  ),
  success: [
    {
      status: 200,
      description: 'How many were deleted, or would be.',
      schema: shape({ deletion_id: text, deleted: { type: 'integer' } }, ['deleted']),
    },
  ],
  async handle({ api, tenant, identity, body }) {
    const { before, reason, dry_run: dryRun } = body as DeleteEnvelopesBody
    const deleted = await api.crib.deleteEnvelopes({
      tenant,
      by: identity.caller.person ?? identity.caller.actor,
      before: readTime(before, 'body/before')!,
      ...(reason !== undefined && { reason }),
      ...(dryRun !== undefined && { dryRun }),
    })
    return { status: 200, body: snakeKeys(deleted) }
  },
}

const envelope: Route = {
  method: 'get',
  path: '/invocations/{invocation_id}/envelope',
  operationId: 'getDeletedInvocation',
  tag,
  summary: 'Read what is left of a deleted call',
  roles: READERS,
  success: [{ status: 200, description: 'The envelope.', schema: recordRef('toolcrib_deleted_record') }],
  async handle({ api, tenant, params }) {
    const found = await api.crib.deletedRecord(params['invocation_id']!, { tenant })
    if (!found) throw notFound('No record of this call was deleted.')
    return { status: 200, body: found }
  },
}

export const deletionRoutes = [remove, removeEnvelopes, envelope]
