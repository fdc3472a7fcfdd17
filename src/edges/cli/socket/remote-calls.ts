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

type Started = Extract<GatewayMessage, { kind: 'started' }>

export interface RemoteCalls {
  readonly calls: readonly Call[]
  readonly batch: Batch
  /** Whether all calls have results. */
  readonly isOver: boolean
}

export interface RemoteCallsOptions {
  readonly link: GatewayLink
  readonly started: Started
  /** Called when a call waits for approval; the signal aborts when it no longer waits. */
  onPending(approval: ToolcribApproval, signal: AbortSignal): void
}

/** Calls that run in the gateway, with the interface of local calls. */
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
          followed[message.index]!.receive(message.event)
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
        default: // no other message is sent while calls run
      }
    }
  }

  function fail(why: Error): never {
    for (const each of followed) each.fail(why)
    throw why
  }

  // The rejection reaches callers that await the batch; otherwise it is ignored.
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
  receive(event: ToolEvent): void
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
    receive(event) {
      // Any other event means that the question is answered.
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

/** All items so far and to come, for any number of readers. */
interface Replay<Item> extends AsyncIterable<Item> {
  push(item: Item): void
  end(): void
}

function createReplay<Item>(): Replay<Item> {
  const items: Item[] = []
  let isOver = false
  const waiting = new Set<() => void>()
  const wake = (): void => {
    for (const each of waiting) each()
    waiting.clear()
  }
  return {
    push(item) {
      items.push(item)
      wake()
    },
    end() {
      isOver = true
      wake()
    },
    async *[Symbol.asyncIterator]() {
      for (let at = 0; ; at++) {
        while (at >= items.length) {
          if (isOver) return
          await new Promise<void>((resolve) => waiting.add(resolve))
        }
        yield items[at]!
      }
    },
  }
}
