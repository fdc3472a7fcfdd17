import { checkRetries } from '../../catalog/check-retries.js'
import type { CallOptions } from './start-call.js'
import type { Surface } from '../surfaces/surface.js'

export const callOptions: ReadonlySet<string> = new Set([
  'name',
  'input',
  'requestedName',
  'nativeCallId',
  'invocationId',
  'traceParent',
  'requestedBy',
  'timeoutMs',
  'retries',
  'signal',
  'runInBackground',
  'client',
  'approver',
] satisfies (keyof CallOptions)[])

/** Checks the arguments of the calling code before anything is recorded. Must be cheap: it runs in every call. */
export function checkCall(
  surface: Surface,
  options: CallOptions,
  known: ReadonlySet<string> = callOptions,
): void {
  checkSurface('crib.call', surface)
  if (typeof options !== 'object' || options === null || typeof options.name !== 'string') {
    throw new TypeError(
      'crib.call takes the surface and then { name, input }, with the name of the tool as a text, or a tool and its input.',
    )
  }
  const { requestedBy, retries, runInBackground } = options
  if (runInBackground !== undefined && typeof runInBackground !== 'boolean')
    throw new TypeError('crib.call: "runInBackground" must be true or false.')
  if (requestedBy !== undefined && requestedBy !== 'model' && requestedBy !== 'runtime') {
    throw new TypeError('crib.call: "requestedBy" must be "model" or "runtime".')
  }
  if (retries !== undefined) checkRetries('crib.call', retries)
  const { signal, timeoutMs } = options
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs > 0))
    throw new TypeError('crib.call: "timeoutMs" must be a number of milliseconds above 0.')
  if (signal !== undefined && typeof signal?.addEventListener !== 'function')
    throw new TypeError('crib.call: "signal" must be an AbortSignal, such as AbortSignal.timeout(5000).')
  for (const key in options) {
    if (key === 'name' || key === 'input' || known.has(key)) continue
    const hint = key === 'arguments' || key === 'args' ? '; the arguments belong in "input"' : ''
    throw new TypeError(`crib.call has no option "${key}"${hint}; it takes ${[...known].join(', ')}.`)
  }
}

export function checkSurface(where: string, given: Surface): void {
  if (typeof given?.current === 'function') return
  throw new TypeError(
    (given as unknown) instanceof Promise
      ? `${where} got a surface that is still a promise; await crib.surface(…) first.`
      : `${where} takes a surface first; make one with: const surface = await crib.surface().`,
  )
}
