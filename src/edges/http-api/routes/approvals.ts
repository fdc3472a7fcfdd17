import {
  approvalScopes,
  approvalStatuses,
  type ApprovalScope,
  type ApprovalStatus,
} from '../../../contract/unions.js'
import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import { answererOf } from '../../server/caller.js'
import { approvalItemSchema, riskRank, toApprovalItem } from '../approval-item.js'
import { recordRef } from '../openapi-document.js'
import { badRequest, conflict, notFound, problemOf } from '../problem.js'
import { READERS } from '../role-groups.js'
import type { ApiRequest, Route } from '../route.js'
import { anything, input, listOf, named, paging, shape, text } from '../shapes.js'
import { sortedPage } from '../sorted-page.js'

const tag = 'Approvals'
const DEFAULT_LIMIT = 200

const list: Route = {
  method: 'get',
  path: '/approvals',
  operationId: 'listApprovals',
  tag,
  summary: 'List approvals',
  description:
    'All that wait come with the highest risk first, and of equal risk the newest; other lists with the newest first.',
  roles: READERS,
  query: {
    status: {
      type: 'array',
      items: { enum: approvalStatuses },
      description: 'Statuses, separated by commas. Default: pending.',
    },
    session: named('The session of the call.'),
    queue: named('The queue of the question.'),
    ...paging,
    limit: { ...paging.limit, default: DEFAULT_LIMIT },
  },
  success: [{ status: 200, description: 'A page of approvals.', schema: listOf(approvalItemSchema) }],
  async handle({ api, identity, tenant, query }) {
    const status = (query['status'] as ApprovalStatus[] | undefined) ?? ['pending']
    const {
      session,
      queue,
      limit = DEFAULT_LIMIT,
      cursor,
    } = query as { session?: string; queue?: string; limit?: number; cursor?: string }
    const found = await api.crib.approvals.list({
      status: status.length === 1 ? status[0]! : status,
      tenant,
      ...(session !== undefined && { session }),
      ...(queue !== undefined && { queue }),
    })
    const isInbox = status.length === 1 && status[0] === 'pending'
    const page = sortedPage(found, {
      list: isInbox ? 'inbox' : 'approvals',
      keyOf: (each) => [isInbox ? riskRank(each) : 0, each.created_at, each.approval_id],
      order: ['low', 'high', 'high'],
      limit,
      cursor,
    })
    const items = await Promise.all(page.items.map((each) => toApprovalItem(api, each, identity.caller)))
    return { status: 200, body: { ...page, items } }
  },
}

async function findApproval({ api, tenant, params }: ApiRequest): Promise<ToolcribApproval> {
  const id = params['approval_id']!
  const found = await api.crib.approvals.get(id, { tenant })
  if (found) return found
  throw notFound(`There is no approval ${id.slice(0, 100)}; GET /approvals lists those that wait.`)
}

const read: Route = {
  method: 'get',
  path: '/approvals/{approval_id}',
  operationId: 'getApproval',
  tag,
  summary: 'Read an approval',
  roles: READERS,
  success: [{ status: 200, description: 'The approval.', schema: approvalItemSchema }],
  async handle(request) {
    const approval = await findApproval(request)
    return { status: 200, body: await toApprovalItem(request.api, approval, request.identity.caller) }
  },
}

const issue = shape({ path: text, message: text }, ['path', 'message'])

const check: Route = {
  method: 'post',
  path: '/approvals/{approval_id}/check',
  operationId: 'checkApprovalInput',
  tag,
  summary: 'Check an edited input before it is approved',
  description: 'By the schema of the tool, and by the rules. Nothing runs and nothing is recorded.',
  roles: ['reviewer'],
  body: input({ input: anything }, ['input']),
  success: [
    {
      status: 200,
      description: 'Whether the tool would accept the input, and what the rules say about it.',
      schema: shape(
        {
          valid: { type: 'boolean' },
          errors: { type: 'array', items: issue },
          decision: shape({ behavior: text, message: text }),
        },
        ['valid', 'errors'],
      ),
    },
  ],
  async handle(request) {
    const { crib } = request.api
    const approval = await findApproval(request)
    const { input: edited } = request.body as { input: unknown }
    const checked = await crib.checkInput(approval.tool_id, edited)
    if (!checked) throw conflict(`The tool ${approval.tool_id} is no longer in the catalog.`)
    if (!checked.ok) return { status: 200, body: { valid: false, errors: checked.issues } }
    const { behavior, reason } = crib.explain({
      tool: approval.tool_id,
      input: edited,
      actor: approval.requested_by.actor,
      session: approval.session,
      surfaceId: approval.surface_id,
      tenant: request.tenant,
    })
    return { status: 200, body: { valid: true, errors: [], decision: { behavior, message: reason.message } } }
  },
}

interface AnswerBody {
  readonly approved: boolean
  readonly feedback?: string
  readonly scope?: ApprovalScope
  readonly update?: number
  readonly input?: unknown
  readonly content?: unknown
  readonly input_digest?: string
}

const answer: Route = {
  method: 'post',
  path: '/approvals/{approval_id}/answer',
  operationId: 'answerApproval',
  tag,
  summary: 'Answer an approval',
  description: 'One answer counts: a second one gets 409. Whoever made the call cannot answer.',
  roles: ['reviewer'],
  body: input(
    {
      approved: { type: 'boolean' },
      feedback: { type: 'string', maxLength: 10_000, description: 'The model reads it after a no.' },
      scope: { enum: approvalScopes, default: 'once' },
      update: { type: 'integer', minimum: 1, description: 'The number of the change of rules to accept.' },
      input: { description: 'Replaces the input. Masks that are left as shown keep their secrets.' },
      content: { description: 'For a question with a form: the result of the call.' },
      input_digest: named('The digest of the input that you saw.'),
    },
    ['approved'],
  ),
  success: [
    {
      status: 200,
      description: 'The answer counts. goes_on says where the call continues.',
      schema: shape({ approval: recordRef('toolcrib_approval'), goes_on: text }, ['approval', 'goes_on']),
    },
  ],
  async handle(request) {
    const { api, tenant, identity } = request
    const { approval_id: id } = await findApproval(request)
    const { input_digest: inputDigest, ...given } = request.body as AnswerBody
    const more = (['input', 'scope', 'update', 'content'] as const).find((name) => given[name] !== undefined)
    if (!given.approved && more) throw badRequest(`"${more}" goes with "approved": true only.`)
    const outcome = await api.crib.approvals.answer(id, {
      ...given,
      ...answererOf(identity.caller),
      tenant,
      ...(inputDigest !== undefined && { inputDigest }),
    })
    if (!outcome.ok) throw problemOf(outcome.error, statusOf(outcome.error.error_code))
    return { status: 200, body: { approval: outcome.approval, goes_on: outcome.goesOn } }
  },
}

/** Somebody was faster, or the question is about something else by now. */
function statusOf(code: string | undefined): number | undefined {
  switch (code) {
    case 'toolcrib.approval_already_answered':
    case 'toolcrib.approval_input_changed':
    case 'toolcrib.approval_withdrawn':
    case 'toolcrib.approval_expired':
      return 409
    case 'toolcrib.approval_not_editable':
    case 'toolcrib.mask_in_input':
    case 'toolcrib.answer_invalid':
      return 422
    default: // the class of the error says it
      return undefined
  }
}

export const approvalRoutes = [list, read, check, answer]
