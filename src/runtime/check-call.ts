import type { CallOptions } from './start-call.js'
import type { Surface } from './surface.js'

const KNOWN = new Set([
  'name',
  'input',
  'nativeCallId',
  'requestedBy',
  'timeoutMs',
  'signal',
] satisfies (keyof CallOptions)[])

/** Mistakes in the code that calls, found before anything is recorded. Cheap: it runs in every call. */
export function checkCall(surface: Surface, options: CallOptions): void {
  if (typeof surface?.current !== 'function') throw new TypeError(wrongSurface(surface))
  if (typeof options !== 'object' || options === null || typeof options.name !== 'string') {
    throw new TypeError(
      'crib.call takes the surface and then { name, input }, with the name of the tool as a text.',
    )
  }
  const { requestedBy } = options
  if (requestedBy !== undefined && requestedBy !== 'model' && requestedBy !== 'runtime') {
    throw new TypeError('crib.call: "requestedBy" must be "model" or "runtime".')
  }
  for (const key in options) {
    if (key === 'name' || key === 'input' || KNOWN.has(key as keyof CallOptions)) continue
    const hint = key === 'arguments' || key === 'args' ? '; the arguments belong in "input"' : ''
    throw new TypeError(`crib.call has no option "${key}"${hint}; it takes ${[...KNOWN].join(', ')}.`)
  }
}

function wrongSurface(given: unknown): string {
  if (given instanceof Promise)
    return 'crib.call got a surface that is still a promise; await crib.surface(…) first.'
  return 'crib.call takes a surface first; make one with: const surface = await crib.surface({ scope: "session" }).'
}
