import type { BodyKind } from './http-operation.js'

/** How a body of a media type is given in the input and sent. */
export function bodyKindOf(mediaType: string): BodyKind {
  const type = bareType(mediaType)
  if (type === 'application/x-www-form-urlencoded') return 'form'
  if (type.startsWith('multipart/')) return 'multipart'
  if (isLines(type)) return 'lines'
  if (isJson(type)) return 'json'
  if (isText(type)) return 'text'
  return 'binary'
}

export function isJson(mediaType: string): boolean {
  const type = bareType(mediaType)
  return /^(?:application|text)\/json$|\+json$/.test(type) || type === '*/*'
}

/** JSON, one value per line. */
export const isLines = (type: string): boolean =>
  /^application\/(?:jsonl|x-jsonlines|jsonlines|x-ndjson|ndjson|json-seq|stream\+json)$|\+json-seq$/.test(
    type,
  )

export function isText(mediaType: string): boolean {
  const type = bareType(mediaType)
  return (
    type.startsWith('text/') ||
    /^application\/(?:xml|yaml|x-yaml|javascript|graphql|sql|x-sh|toml|csv|x-www-form-urlencoded)$/.test(
      type,
    ) ||
    /\+(?:xml|yaml)$/.test(type)
  )
}

/** Without parameters, in lower case. */
export function bareType(mediaType: string): string {
  return (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase()
}

/** Plain JSON first, then other kinds of JSON: JSON says exactly what it means. Else in the given order. */
export function jsonFirst<Typed extends { readonly mediaType: string }>(list: readonly Typed[]): Typed[] {
  const rank = ({ mediaType }: Typed): number => {
    if (bareType(mediaType) === 'application/json') return 0
    return isJson(mediaType) && !mediaType.includes('*') ? 1 : isJson(mediaType) ? 2 : 3
  }
  return list.toSorted((a, b) => rank(a) - rank(b))
}
