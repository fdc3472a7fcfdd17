import { Problem } from '../problem.js'
import type { AnyRoute } from '../route.js'

const JSON_TYPES = ['application/json', 'application/problem+json']

/** Refuses a request whose client takes no type that the route gives. Throws a `Problem`. */
export function checkAccept({ success }: AnyRoute, accept: string | undefined): void {
  const given = success.flatMap(({ schema, mediaType = 'application/json' }) => (schema ? [mediaType] : []))
  // Files are sent as they are, also to clients that want JSON everywhere.
  if (!given.includes('application/json')) return
  const taken = rangesOf(accept ?? '')
  const fits = (type: string): boolean =>
    taken.some((range) => range === '*/*' || range === type || range === `${type.split('/')[0]}/*`)
  if (taken.length === 0 || [...JSON_TYPES, ...given].some(fits)) return
  throw new Problem(
    406,
    'invalid_arguments',
    `This path gives ${[...new Set(given)].join(' or ')}; send "accept: application/json".`,
  )
}

/** The media ranges that a client takes. A quality of 0 means that it does not. */
function rangesOf(accept: string): string[] {
  return accept.split(',').flatMap((part) => {
    const [range = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase())
    return range === '' || parameters.some((each) => /^q\s*=\s*0(?:\.0*)?$/.test(each)) ? [] : [range]
  })
}
