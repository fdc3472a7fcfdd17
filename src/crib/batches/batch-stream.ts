import type { ToolEvent } from '../../contract/objects/tool-event.js'
import { terminalStatuses } from '../../contract/status-table.js'
import type { YieldPolicy } from '../../contract/unions.js'
import type { BatchItem } from './batch.js'
import type { Call } from '../calls/call-handle.js'

/** One reader of a batch: items that may be read now, and items held back until their turn. */
export class BatchStream {
  readonly #yields: YieldPolicy
  readonly #isOrdered: boolean
  #ready: BatchItem[] = []
  readonly #kept: BatchItem[][] = []
  readonly #isDone: boolean[] = []
  #next = 0
  #wake: (() => void) | undefined = undefined
  #open = 0
  #isComplete = false
  #failure: { error: unknown } | undefined = undefined

  constructor({ yields, isOrdered }: { yields: YieldPolicy; isOrdered: boolean }) {
    this.#yields = yields
    this.#isOrdered = isOrdered
  }

  /** Reads one call to its end. */
  async follow(call: Call, index: number, { isBackground = false } = {}): Promise<void> {
    this.#open++
    this.#kept[index] ??= []
    const { invocationId } = call
    try {
      // A call in the background has returned its receipt; the stream does not wait for its end.
      if (!isBackground)
        for await (const event of call) this.#take({ kind: 'event', index, invocationId, event })
      this.#take({ kind: 'result', index, invocationId, result: await call })
    } catch (error) {
      this.#failure ??= { error }
    }
    this.#open--
    this.#isDone[index] = true
    this.#advance()
    this.#wake?.()
  }

  /** No more calls will come. */
  complete(): void {
    this.#isComplete = true
    this.#wake?.()
  }

  #take(item: BatchItem): void {
    if (this.#mayPass(item)) this.#ready.push(item)
    else this.#kept[item.index]!.push(item)
    this.#wake?.()
  }

  #mayPass(item: BatchItem): boolean {
    if (!this.#isOrdered || item.index === this.#next) return true
    return (
      this.#yields === 'progress_immediate_results_ordered' &&
      item.kind === 'event' &&
      !revealsEnd(item.event)
    )
  }

  /** Advances to the first call that has not ended, and releases the items held back on the way. */
  #advance(): void {
    while (this.#isDone[this.#next]) {
      this.#next++
      this.#ready.push(...(this.#kept[this.#next] ?? []))
      this.#kept[this.#next] = []
    }
  }

  async *read(): AsyncGenerator<BatchItem, void, void> {
    for (;;) {
      const items = this.#ready
      this.#ready = []
      yield* items
      if (this.#ready.length > 0) continue
      if (this.#isComplete && this.#open === 0) break
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
    if (this.#failure) throw this.#failure.error
  }
}

/** Whether an event reveals how its call ended. */
function revealsEnd({ event_type: type, data }: ToolEvent): boolean {
  if (type === 'tool.result.created' || type === 'tool.invocation.yielded') return true
  const status = data?.['status']
  return terminalStatuses.some((each) => each === status)
}
