import { ownCommand } from '../../../platform/text/own-command.js'
import type { ToolEvent } from '../../../contract/objects/tool-event.js'
import type { ToolResult } from '../../../contract/objects/tool-result.js'
import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import type { Batch, BatchItem } from '../../../crib/batches/batch.js'
import type { Call } from '../../../crib/calls/call-handle.js'
import { printable } from '../../../platform/text/printable.js'
import { callLost } from '../program/call-lost.js'
import { shortId } from '../calls/find-call.js'
import type { GatewayLink } from './find-gateway.js'
import type { GatewayMessage } from './messages.js'
import { createReplay } from './replay.js'

type Started = Extract<GatewayMessage, { kind: 'started' }>

export interface RemoteCalls {
  readonly calls: readonly Call[]
  readonly batch: Batch
  /** Whether all have their results. */
  readonly isOver: boolean
}

export interface RemoteCallsOptions {
  readonly link: GatewayLink
  readonly started: Started
  /** A call waits; the signal says that it waits no more. */
  onPending(approval: ToolcribApproval, signal: AbortSignal): void
}

/** Calls that run in the gateway, as if they ran here. */
export function followRemoteCalls({ link, started, onPending }: RemoteCallsOptions): RemoteCalls {
  const followed = started.invocationIds.map((id, index) => remoteCall(id, index, { link, onPending }))
  const items = createReplay<BatchItem>()
  let isOver = false
  const ended = read().finally(() => {
    isOver = true
    items.end()
  })

  async function read(): Promise<ToolResult[]> {
    for (;;) {
      const message = await link.next()
      switch (message?.kind) {
        case 'event':
          followed[message.index]!.hear(message.event)
          break
        case 'pending':
          followed[message.index]!.waits(message.approval)
          break
        case 'result':
          followed[message.index]!.end(message.result)
          break
        case 'item':
          items.push(message.item)
          break
        case 'done':
          return Promise.all(followed.map(({ call }) => call))
        case 'failed':
          return fail(callLost(printable(message.message)))
        case undefined:
          return fail(callLost(goneSentence(started.invocationIds)))
        default: // nothing else is said while calls run
      }
    }
  }

  function fail(why: Error): never {
    for (const each of followed) each.fail(why)
    throw why
  }

  // Whoever waits hears of it; nobody else has to.
  ended.catch(() => {})
  const calls = followed.map(({ call }) => call)
  const batch = Object.assign(ended, {
    batchId: started.batchId ?? '',
    policy: started.policy!,
    calls,
    interrupt: () => link.send({ kind: 'interrupt' }),
    cancel: (reason) => link.send({ kind: 'cancel', reason }),
    context: () => Promise.reject(new Error('The context of a batch is known in the gateway only.')),
    [Symbol.asyncIterator]: () => items[Symbol.asyncIterator](),
  } satisfies Omit<Batch, keyof Promise<unknown>>)
  return {
    calls,
    batch,
    get isOver() {
      return isOver
    },
  }
}

function goneSentence(ids: readonly string[]): string {
  const [id] = ids
  const isOne = ids.length === 1 && id !== undefined
  const look = ownCommand(isOne ? `show ${shortId(id)}` : 'log')
  return isOne
    ? `The gateway ended before the call did; "${look}" tells what became of it. It is not made again.`
    : `The gateway ended before the calls did; "${look}" tells what became of them. They are not made again.`
}

interface RemoteCall {
  readonly call: Call
  hear(event: ToolEvent): void
  waits(approval: ToolcribApproval): void
  end(result: ToolResult): void
  fail(why: Error): void
}

function remoteCall(
  invocationId: string,
  index: number,
  { link, onPending }: Pick<RemoteCallsOptions, 'link' | 'onPending'>,
): RemoteCall {
  const events = createReplay<ToolEvent>()
  let waiting: AbortController | undefined
  let resolve!: (result: ToolResult) => void
  let reject!: (why: Error) => void
  let ask!: (approval: ToolcribApproval | undefined) => void
  const result = new Promise<ToolResult>((...settled) => ([resolve, reject] = settled))
  const asked = new Promise<ToolcribApproval | undefined>((settled) => (ask = settled))
  result.catch(() => {})
  const settle = (): void => {
    waiting?.abort()
    events.end()
    ask(undefined)
  }
  const call = Object.assign(result, {
    invocationId,
    cancel: (reason) => link.send({ kind: 'cancel', index, reason }),
    interrupt: () => link.send({ kind: 'interrupt' }),
    pending: () => asked,
    [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
  } satisfies Omit<Call, keyof Promise<unknown>>)
  return {
    call,
    hear(event) {
      // Whatever happens next, the question is answered.
      if (event.event_type !== 'tool.permission.requested') waiting?.abort()
      events.push(event)
    },
    waits(approval) {
      waiting = new AbortController()
      ask(approval)
      onPending(approval, waiting.signal)
    },
    end(ended) {
      resolve(ended)
      settle()
    },
    fail(why) {
      reject(why)
      settle()
    },
  }
}
