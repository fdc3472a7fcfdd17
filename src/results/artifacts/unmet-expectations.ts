import type { ArtifactExpectations } from '../../catalog/new-artifact.js'

/** An artifact that was created or linked. */
export interface ProducedArtifact {
  name: string | undefined
  mediaType: string | undefined
}

/** A sentence that says what was expected and what was delivered; undefined where nothing is missing. */
export function unmetExpectations(
  { min = 1, mediaTypes, names = [] }: ArtifactExpectations,
  delivered: readonly ProducedArtifact[],
): string | undefined {
  const counted = mediaTypes
    ? delivered.filter(({ mediaType }) =>
        mediaTypes.some((pattern) => fits(typeOnly(mediaType), typeOnly(pattern))),
      )
    : delivered
  const missing = names.filter((pattern) => !counted.some(({ name }) => fits(name, pattern)))
  if (counted.length >= min && missing.length === 0) return undefined
  const wanted = [
    `at least ${min} ${min === 1 ? 'artifact' : 'artifacts'}`,
    ...(mediaTypes ? [`of the type ${mediaTypes.join(' or ')}`] : []),
    ...(names.length > 0 ? [`named ${names.join(', ')}`] : []),
  ].join(' ')
  const came = delivered.map(({ name = 'one without a name', mediaType }) =>
    mediaType ? `${name} (${mediaType})` : name,
  )
  return `The tool promises ${wanted}; ${came.length === 0 ? 'none came' : `what came is ${came.join(', ')}`}.`
}

function typeOnly(mediaType: string | undefined): string | undefined {
  return mediaType?.split(';', 1)[0]!.trim().toLowerCase()
}

function fits(text: string | undefined, pattern: string | undefined): boolean {
  if (text === undefined || pattern === undefined) return false
  const parts = pattern.split('*')
  if (parts.length === 1) return text === pattern
  const [first = '', last = ''] = [parts[0], parts.at(-1)]
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false
  let from = first.length
  for (const part of parts.slice(1, -1)) {
    const at = text.indexOf(part, from)
    if (at === -1) return false
    from = at + part.length
  }
  return from <= text.length - last.length
}
