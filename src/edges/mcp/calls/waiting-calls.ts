import { createHash } from 'node:crypto'
import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { OWN_META_KEY } from '../../../sources/mcp/protocol/meta-keys.js'
import type { Crib } from '../../../crib/crib.js'
import type { Store } from '../../../storage/store.js'
import { callerKey } from '../caller-key.js'
import { describeWaiting } from './describe-waiting.js'
import type { Exchange } from '../gateway.js'
import type { GatewayOptions } from '../gateway-options.js'
import { invalidParams } from '../invalid-params.js'
import type { OpenWork } from './open-work.js'
import { paramsDigest, tokenDigest } from './request-state.js'
import { resumePast } from '../tasks/resume-past.js'
import type { CallRequest, StartedCall } from './call-request.js'

const MAX_WAITING = 1000
/** How long a repeated call waits for the result before it is answered that the approval is still pending. */
const ANSWER_WAIT_MS = 20_000
/** How long a result is kept for the client to come back for it. */
const ENDED_MS = 5 * 60_000

export interface WaitingCall {
  readonly request: CallRequest
  readonly approval: ToolcribApproval
  /** Absent for a call that another process started. */
  readonly work?: OpenWork | undefined
}

/** Calls that wait for a reviewer other than the person who uses the client. A repeated call finds them again. */
export interface WaitingCalls {
  readonly size: number
  add(waiting: WaitingCall & StartedCall): Promise<void>
  /** The same call of the same caller, or the call that the request names, if it waits. */
  find(request: CallRequest): WaitingCall | undefined
  /** The same call, started by an earlier process, if its result was not fetched yet. */
  recall(request: CallRequest, approval: ToolcribApproval): Promise<WaitingCall | undefined>
  /** The result, if it comes soon; otherwise again that the approval is pending. */
  attach(waiting: WaitingCall, request: CallRequest): Promise<JsonObject>
  close(): void
}

export interface WaitingCallsOptions extends Pick<GatewayOptions, 'onWaiting'> {
  readonly crib: Crib
  readonly approvalsCommand: string
  now(): number
}

export function createWaitingCalls(options: WaitingCallsOptions): WaitingCalls {
  const { crib, now, onWaiting, approvalsCommand } = options
  const byKey = new Map<string, WaitingCall>()
  const timers = new Set<NodeJS.Timeout>()
  const marks = createWaitingMarks({ store: crib.store, now })

  function set(waiting: WaitingCall): void {
    // The oldest call continues: its result can be found by its id.
    if (byKey.size >= MAX_WAITING) byKey.delete(byKey.keys().next().value!)
    byKey.set(keyOf(waiting.request), waiting)
  }

  function forget(waiting: WaitingCall): void {
    const key = keyOf(waiting.request)
    if (byKey.get(key) !== waiting) return
    byKey.delete(key)
    // A mark that is left behind names a call that has ended, which `recall` ignores.
    marks.drop(tenantOf(waiting.request), key).catch(() => {})
  }

  function later(ms: number, act: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      timers.delete(timer)
      act()
    }, ms).unref()
    timers.add(timer)
    return timer
  }

  async function attachTo(work: OpenWork, waiting: WaitingCall, exchange: Exchange): Promise<JsonObject> {
    const again = later(ANSWER_WAIT_MS, () =>
      work.answerInterim(describeWaiting(waiting.approval, exchange.era, approvalsCommand), exchange),
    )
    try {
      return await work.attach(exchange)
    } finally {
      clearTimeout(again)
      timers.delete(again)
      if (work.isDone) forget(waiting)
    }
  }

  async function attachToPast(waiting: WaitingCall, request: CallRequest): Promise<JsonObject> {
    const resumed = await resumePast(waiting.approval.invocation_id, request)
    if (!resumed || resumed.isOver) forget(waiting)
    if (!resumed) throw invalidParams('The call that this one goes on with is gone; make it again.')
    return resumed.result
  }

  return {
    get size() {
      return byKey.size
    },
    async add(waiting) {
      const { call, work, request, approval } = waiting
      work.isResumable = true
      set(waiting)
      onWaiting?.(approval)
      // A canceled call cannot be resumed.
      const over = (ms: number): unknown => (ms === 0 ? forget(waiting) : later(ms, () => forget(waiting)))
      call.then(
        ({ status }) => over(status === 'canceled' ? 0 : ENDED_MS),
        () => over(0),
      )
      const mark = { invocationId: call.invocationId, approvalId: approval.approval_id }
      // Without the mark, a later process asks for a new approval.
      await marks.keep(tenantOf(request), keyOf(request), mark).catch(() => {})
    },
    find(request) {
      if (byKey.size === 0) return undefined
      const named = namedCall(request.exchange)
      if (named === undefined) return byKey.get(keyOf(request))
      return [...byKey.values()].find(
        ({ approval, request: { connection, tool } }) =>
          approval.invocation_id === named &&
          callerKey(connection.caller) === callerKey(request.connection.caller) &&
          tool.toolId === request.tool.toolId,
      )
    },
    async recall(request, { input_digest: digest, invocation_id: ownCall }) {
      const tenant = tenantOf(request)
      const mark = await marks.read(tenant, keyOf(request))
      if (!mark || mark.invocationId === ownCall) return undefined
      const approval = await crib.approvals.get(mark.approvalId, { tenant })
      // Rules and hooks may have changed the same arguments into another input.
      if (approval?.invocation_id !== mark.invocationId || approval.input_digest !== digest) return undefined
      const ended = await crib.result(mark.invocationId, { tenant })
      const isFresh = ended?.status !== 'canceled' && now() - Date.parse(ended?.created_at ?? '') <= ENDED_MS
      if (ended && !isFresh) return undefined
      const waiting = { request, approval }
      set(waiting)
      return waiting
    },
    attach: (waiting, request) =>
      waiting.work ? attachTo(waiting.work, waiting, request.exchange) : attachToPast(waiting, request),
    close() {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
      byKey.clear()
    },
  }
}

function tenantOf({ connection }: CallRequest): string {
  return connection.surface.request.tenant!
}

function keyOf({ tool, params, connection: { caller } }: CallRequest): string {
  return JSON.stringify([
    caller.actor,
    caller.tenant ?? null,
    tokenDigest(caller),
    tool.toolId,
    paramsDigest(params),
  ])
}

/** The call that the client names to resume it. */
export function namedCall({ meta }: Exchange): string | undefined {
  const own = meta?.[OWN_META_KEY]
  const id = isObject(own) ? own['invocationId'] : undefined
  return typeof id === 'string' ? id : undefined
}

const KIND = 'mcp_waiting'

/** The call that waits under a key, and its approval. */
interface WaitingMark {
  readonly invocationId: string
  readonly approvalId: string
}

/** Stores waiting calls for a later process. The key is stored as a digest, because it contains a token. */
interface WaitingMarks {
  keep(tenant: string, key: string, mark: WaitingMark): Promise<void>
  read(tenant: string, key: string): Promise<WaitingMark | undefined>
  drop(tenant: string, key: string): Promise<void>
}

function createWaitingMarks({ store, now }: { store: Store; now: () => number }): WaitingMarks {
  async function write(tenant: string, key: string, value: WaitingMark | undefined): Promise<void> {
    await store.write({ documents: [{ tenant, kind: KIND, id: digest(key), updatedAt: now(), value }] })
  }

  return {
    keep: write,
    async read(tenant, key) {
      const value = (await store.getDocument(tenant, KIND, digest(key)))?.value
      if (!isObject(value)) return undefined
      const { invocationId, approvalId } = value
      return { invocationId: String(invocationId), approvalId: String(approvalId) }
    },
    drop: (tenant, key) => write(tenant, key, undefined),
  }
}

function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
