import type { ToolResult } from '../../../contract/objects/tool-result.js'
import type { Call } from '../../../crib/calls/call-handle.js'
import type { CallStory } from '../../../storage/journal/project-call.js'
import { streamCall, type StreamedCall } from '../events/stream-call.js'
import { batchIdOf, lastSegment } from '../invocation-summary.js'
import { recordRef } from '../openapi-document.js'
import { badRequest } from '../problem.js'
import { followRecord, recordedCall, waitForRecords } from '../recorded-calls.js'
import type { Answer, ApiRequest, Route } from '../route.js'
import { anything, input, named, shape, text } from '../shapes.js'

const tag = 'Calls'

const DEFAULT_WAIT_MS = 30_000
const MAX_WAIT_MS = 10 * 60_000

const where = {
  surface_id: named('A surface of yours that is open.'),
  surface: named('The name of a configured surface or an agent. Default: your own.'),
  session: named('The session of the calls. Default: one for your token.'),
} as const

const onWait = {
  wait_ms: {
    type: 'integer',
    minimum: 0,
    maximum: MAX_WAIT_MS,
    default: DEFAULT_WAIT_MS,
    description: 'How long to wait for the result, in milliseconds.',
  },
} as const

const modes = ['wait', 'stream', 'background'] as const
const underWay = shape({ invocation_id: text, status: text, approval_id: text }, ['invocation_id', 'status'])

interface CallBody {
  readonly tool: string
  readonly input?: unknown
  readonly surface_id?: string
  readonly surface?: string
  readonly session?: string
  readonly mode?: (typeof modes)[number]
  readonly wait_ms?: number
  readonly timeout_ms?: number
  readonly native_call_id?: string
}

const call: Route = {
  method: 'post',
  path: '/calls',
  operationId: 'callTool',
  tag,
  summary: 'Call a tool',
  description:
    'The call passes the whole pipeline. A call that fails has a result too: the answer is 200 with is_error. A call that waits for a person, or takes longer than wait_ms, is answered with 202 and goes on. So does a call whose client leaves or whose token is revoked: its stream ends, and its record has the result. A header traceparent (W3C Trace Context) is recorded with the call.',
  roles: ['caller'],
  body: input(
    {
      tool: named('Any name of a tool of the surface.'),
      input: anything,
      ...where,
      mode: { enum: modes, default: 'wait' },
      ...onWait,
      timeout_ms: { type: 'integer', minimum: 1, description: 'For the whole call.' },
      native_call_id: named('The id that your model or protocol gave the call.'),
    },
    ['tool'],
  ),
  success: [
    { status: 200, description: 'The result.', schema: recordRef('tool_result') },
    { status: 200, description: 'The result.', schema: text, mediaType: 'text/event-stream' },
    { status: 202, description: 'The call is under way.', schema: underWay },
  ],
  async handle(request) {
    const body = request.body as CallBody
    const surface = await surfaceFor(request, body)
    const mode = body.mode ?? 'wait'
    const [invocationId] = await reserveCalls(request, 1)
    const started = request.api.crib.call(surface, {
      name: body.tool,
      input: body.input ?? {},
      requestedBy: 'model',
      ...(body.native_call_id !== undefined && { nativeCallId: body.native_call_id }),
      ...(body.timeout_ms !== undefined && { timeoutMs: body.timeout_ms }),
      ...(invocationId !== undefined && { invocationId }),
      ...traceOf(request),
      ...(mode === 'background' && { runInBackground: true }),
    })
    // It rejects where the server closes while it waits for a person: its record goes on, and nobody listens here.
    started.catch(() => {})
    reportCall(request, started, body.tool)
    switch (mode) {
      case 'stream':
        return streamAnswer(request, { events: started, result: async () => started })
      case 'background':
        return backgroundAnswer(await started)
      case 'wait':
        return waitFor(request, started, body.wait_ms ?? DEFAULT_WAIT_MS)
    }
  },
  async again(request, [id = '']) {
    const { mode = 'wait', wait_ms: waitMs = DEFAULT_WAIT_MS } = request.body as CallBody
    if (mode === 'stream') return streamAgain(request, id)
    const [story] = await waitForRecords(request, [id], mode === 'wait' ? waitMs : 0)
    return story && answerFrom(story)
  },
}

/** The ids of the calls that a request with an idempotency key makes, noted under its key. */
async function reserveCalls({ api, noteCalls }: ApiRequest, count: number): Promise<readonly string[]> {
  if (!noteCalls) return []
  const ids = Array.from({ length: count }, () => api.crib.reserveCallId())
  await noteCalls(ids)
  return ids
}

/** What is recorded of the result, or where the call is found. */
function answerFrom({ invocation, result }: CallStory): Answer {
  if (result) return { status: 200, body: result }
  const { invocation_id, status, approval_request_ref: asked } = invocation
  const approvalId = status === 'awaiting_approval' ? lastSegment(asked) : undefined
  return {
    status: 202,
    body: { invocation_id, status, ...(approvalId !== undefined && { approval_id: approvalId }) },
  }
}

async function streamAgain(request: ApiRequest, id: string): Promise<Answer | undefined> {
  if (!(await recordedCall(request, id))) return undefined
  return streamAnswer(request, {
    events: followRecord(request, id),
    async result() {
      const story = await recordedCall(request, id)
      if (story?.result) return story.result
      throw new Error(`The call ${id} has no result.`)
    },
  })
}

function surfaceFor(
  { api, identity }: ApiRequest,
  { surface_id: surfaceId, surface: name, session }: Omit<CallBody, 'tool'>,
) {
  if (surfaceId !== undefined && (name !== undefined || session !== undefined))
    throw badRequest(
      'Give either "surface_id", or "surface" and "session": an open surface has its session already.',
    )
  return api.surfaces.get(identity, { surfaceId, name, session })
}

/** The trace of the caller, from the header of W3C Trace Context. */
function traceOf({ headers: { traceparent } }: ApiRequest): { traceParent?: string } {
  return typeof traceparent === 'string' ? { traceParent: traceparent } : {}
}

function reportCall({ api, identity, tenant }: ApiRequest, started: Call, tool: string): void {
  if (!api.onCall) return
  const result = started.then((first) =>
    first.toolcrib?.['receipt'] === true ? api.crib.task(first.invocation_id, { tenant }).result() : first,
  )
  // As above: a listener need not wait for the result.
  result.catch(() => {})
  const { invocationId } = started
  const client = { actor: identity.caller.actor }
  api.onCall({ client, tool, invocationId, pending: () => started.pending(), result })
}

/** A background call answers with a receipt, unless it has ended already. */
function backgroundAnswer(first: ToolResult): Answer {
  if (first.toolcrib?.['receipt'] !== true) return { status: 200, body: first }
  return { status: 202, body: { invocation_id: first.invocation_id, status: 'running' } }
}

/** The result, or after a while, or once a person is asked, where the call is found. */
async function waitFor({ api, tenant }: ApiRequest, started: Call, waitMs: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, waitMs, 'late')))
  // A call that asks nobody ends: then its result comes first.
  const asked = started.pending().then(async (approval) => approval ?? (await started))
  try {
    const first = await Promise.race([started, asked, late])
    if (first !== 'late' && 'result_id' in first) return { status: 200, body: first }
    const approvalId = first === 'late' ? undefined : first.approval_id
    const status = (await api.crib.task(started.invocationId, { tenant }).status()) ?? 'running'
    return {
      status: 202,
      body: {
        invocation_id: started.invocationId,
        status,
        ...(approvalId !== undefined && { approval_id: approvalId }),
      },
    }
  } finally {
    clearTimeout(timer)
  }
}

function streamAnswer({ identity }: ApiRequest, call: StreamedCall): Answer {
  return { status: 200, stream: (response) => streamCall(response, call, identity) }
}

const MAX_CALLS = 200

const batch: Route = {
  method: 'post',
  path: '/batches',
  operationId: 'callTools',
  tag,
  summary: 'Call several tools',
  description:
    'The calls run in parallel where the policy and the tools allow it; the results are in the order of the calls. Where one waits for a person, the answer is 202. A header traceparent (W3C Trace Context) is recorded with each call.',
  roles: ['caller'],
  body: input(
    {
      calls: {
        type: 'array',
        minItems: 1,
        maxItems: MAX_CALLS,
        items: input(
          {
            tool: named('A name of a tool.'),
            input: anything,
            native_call_id: named('Your id of the call.'),
          },
          ['tool'],
        ),
      },
      ...where,
      mode: { enum: ['wait', 'background'], default: 'wait' },
      ...onWait,
    },
    ['calls'],
  ),
  success: [
    {
      status: 200,
      description: 'The results.',
      schema: shape({ batch_id: text, results: { type: 'array', items: recordRef('tool_result') } }),
    },
    {
      status: 202,
      description: 'The calls are under way.',
      schema: shape({ batch_id: text, invocation_ids: { type: 'array', items: text } }),
    },
  ],
  async handle(request) {
    const body = request.body as Omit<CallBody, 'tool'> & { calls: readonly CallBody[] }
    const surface = await surfaceFor(request, body)
    const trace = traceOf(request)
    const ids = await reserveCalls(request, body.calls.length)
    const started = request.api.crib.batch(
      surface,
      body.calls.map((each, index) => ({
        name: each.tool,
        ...(ids[index] !== undefined && { invocationId: ids[index] }),
        input: each.input ?? {},
        ...(each.native_call_id !== undefined && { nativeCallId: each.native_call_id }),
        ...trace,
      })),
    )
    started.catch(() => {})
    started.calls.forEach((each, index) => reportCall(request, each, body.calls[index]!.tool))
    const waitMs = body.mode === 'background' ? 0 : (body.wait_ms ?? DEFAULT_WAIT_MS)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, waitMs, undefined)))
    const results = await Promise.race([started, late, anyAsked(started.calls)])
    clearTimeout(timer)
    if (results) return { status: 200, body: { batch_id: started.batchId, results } }
    const invocationIds = started.calls.map(({ invocationId }) => invocationId)
    return { status: 202, body: { batch_id: started.batchId, invocation_ids: invocationIds } }
  },
  async again(request, ids) {
    const { mode, wait_ms: waitMs = DEFAULT_WAIT_MS } = request.body as CallBody
    const stories = await waitForRecords(request, ids, mode === 'background' ? 0 : waitMs)
    const policyRef = stories.find((story) => story)?.invocation.scheduler_policy_ref
    if (policyRef === undefined) return undefined
    const results = stories.flatMap((story) => story?.result ?? [])
    return results.length === ids.length
      ? { status: 200, body: { batch_id: batchIdOf(policyRef), results } }
      : { status: 202, body: { batch_id: batchIdOf(policyRef), invocation_ids: ids } }
  },
}

/** Resolves when one of the calls asks a person. */
function anyAsked(calls: readonly Call[]): Promise<undefined> {
  return new Promise((resolve) => {
    for (const each of calls)
      each.pending().then(
        (approval) => approval && resolve(undefined),
        () => {},
      )
  })
}

export const callRoutes = [call, batch]
