import { isPartialOutput } from '../../catalog/tool-output.js'
import type { ProgressUpdate } from '../../catalog/execute-context.js'
import type { LiveContext } from './create-execute-context.js'

export function isAsyncGenerator(value: unknown): value is AsyncGenerator<unknown, unknown, void> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Symbol.asyncIterator in value &&
    typeof Reflect.get(value, 'next') === 'function'
  )
}

/** Each yield is progress or a partial result; the return value is the result. */
export async function driveGenerator(
  generator: AsyncGenerator<unknown, unknown, void>,
  context: LiveContext,
): Promise<unknown> {
  const { signal } = context
  // No single promise that each step races against: it would retain everything that was yielded.
  let wake: (() => void) | undefined
  const onAbort = (): void => wake?.()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    for (;;) {
      const next = generator.next()
      await new Promise<void>((resolve, reject) => {
        wake = resolve
        if (signal.aborted) resolve()
        else next.then(() => resolve(), reject)
      })
      if (signal.aborted) {
        // Runs its `finally` blocks and waits for them. An error of its own on the way is its answer to the signal.
        const [, last] = await Promise.all([generator.return(undefined), next])
        // A result that is already there wins over a late cancellation.
        if (last?.done) return last.value
        throw signal.reason
      }
      const { done, value } = await next
      if (done) return value
      if (isPartialOutput(value)) context.partial(value.value)
      else if (typeof value === 'string' || (typeof value === 'object' && value !== null)) {
        context.progress(value as ProgressUpdate | string)
      }
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
