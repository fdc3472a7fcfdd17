import { checkOptions, type OptionKind } from '../platform/validation/check-options.js'

/** An artifact that an executor returns beside its output. */
export interface NewArtifact {
  /** A file name: `report.csv`. */
  name: string
  title?: string
  description?: string
  /** Absent: derived from its name or content. */
  mediaType?: string
  /** A text, bytes, plain JSON, or a stream of Node or of the web, or a Blob. Streams are read while the call runs. */
  content: unknown
  /** The id of an artifact (`art_…`) that gets a new version. Absent: a new artifact, whatever its name. */
  artifact?: string
  /** The recipient, and the purpose. */
  handOff?: { to: string; purpose?: string }
}

/** The artifacts that a tool promises when it succeeds. */
export interface ArtifactExpectations {
  /** The minimum number; default 1. */
  min?: number
  /** Only artifacts of these types count: `text/csv`, `image/*`. */
  mediaTypes?: readonly string[]
  /** One artifact for each of these names; `*` matches any part. */
  names?: readonly string[]
}

/** Their streams are read in parallel, each with its own buffer. */
const MAX_ARTIFACTS = 64
const MAX_NAME_CHARS = 200

const ARTIFACT_OPTIONS = {
  name: 'text',
  title: 'text',
  description: 'text',
  mediaType: 'text',
  content: 'any',
  artifact: 'text',
  handOff: 'object',
} as const satisfies Record<keyof NewArtifact, OptionKind>

const HAND_OFF_OPTIONS = { to: 'text', purpose: 'text' } as const

const EXPECTATION_OPTIONS = {
  min: 'notNegative',
  mediaTypes: 'texts',
  names: 'texts',
} as const satisfies Record<keyof ArtifactExpectations, OptionKind>

/** Throws one sentence that says what to write. */
export function checkNewArtifacts(given: readonly unknown[]): void {
  if (given.length > MAX_ARTIFACTS)
    throw new TypeError(`toolOutput takes at most ${MAX_ARTIFACTS} artifacts, not ${given.length}.`)
  for (const [index, artifact] of given.entries()) {
    const where = `toolOutput: artifacts[${index}]`
    checkOptions(where, artifact, ARTIFACT_OPTIONS)
    const { name, content, artifact: id, handOff } = artifact as Partial<NewArtifact>
    if (name === undefined || name.trim() === '' || name.length > MAX_NAME_CHARS)
      throw new TypeError(
        `${where} needs a "name" of at most ${MAX_NAME_CHARS} characters, such as "report.csv".`,
      )
    if (content === undefined || typeof content === 'function' || typeof content === 'symbol')
      throw new TypeError(`${where} needs a "content": a text, bytes, plain JSON or a stream.`)
    if (id !== undefined && !id.startsWith('art_'))
      throw new TypeError(`${where}: "artifact" must be the id of an artifact (art_…), not "${id}".`)
    if (handOff === undefined) continue
    checkOptions(`${where}.handOff`, handOff, HAND_OFF_OPTIONS)
    if (!handOff.to) throw new TypeError(`${where}.handOff needs a "to": who is to take it up.`)
  }
}

export function checkExpectations(where: string, given: unknown): void {
  if (given === undefined) return
  checkOptions(`${where}: "artifacts"`, given, EXPECTATION_OPTIONS)
  const { min } = given as ArtifactExpectations
  if (min !== undefined && !Number.isInteger(min))
    throw new TypeError(`${where}: "artifacts.min" must be a whole number.`)
}
