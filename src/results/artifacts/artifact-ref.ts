import type { ArtifactVersion, ToolcribArtifact } from '../../contract/objects/toolcrib-artifact.js'
import type { PayloadRef } from '../../contract/objects/tool-result.js'

export const ARTIFACT_KIND = 'artifact'

const FORM =
  /^toolcrib:\/\/artifacts\/(art_[0-9a-z]+)\/(?:versions\/([1-9]\d{0,8})|latest|handoffs\/([1-9]\d{0,8}))$/

export function versionRef(artifactId: string, version: number): string {
  return `toolcrib://artifacts/${artifactId}/versions/${version}`
}

/** Hand-offs of an artifact are numbered from 1. */
export function handOffRef(artifactId: string, number: number): string {
  return `toolcrib://artifacts/${artifactId}/handoffs/${number}`
}

/** The parts of an artifact ref. Without a number it refers to the newest version. */
export interface ReadArtifactRef {
  artifactId: string
  version: number | undefined
  handOff: number | undefined
}

export function parseArtifactRef(ref: string): ReadArtifactRef | undefined {
  const match = FORM.exec(ref)
  if (!match) return undefined
  const numberAt = (index: number): number | undefined =>
    match[index] === undefined ? undefined : Number(match[index])
  return { artifactId: match[1]!, version: numberAt(2), handOff: numberAt(3) }
}

/** The version that a ref to the newest one, to a hand-off or to a number refers to. */
export function versionOf(
  { versions, handoff_refs: handOffs }: ToolcribArtifact,
  { version, handOff }: Pick<ReadArtifactRef, 'version' | 'handOff'>,
): ArtifactVersion | undefined {
  if (handOff !== undefined) {
    const found = handOffs[handOff - 1]
    return found && versions[found.version - 1]
  }
  return version === undefined ? versions.at(-1) : versions[version - 1]
}

/** The ref in the form that results use. */
export function toArtifactRef(
  { artifact_id: id, name, title }: Pick<ToolcribArtifact, 'artifact_id' | 'name' | 'title'>,
  of: ArtifactVersion,
): PayloadRef {
  const { uri, version, media_type, size_bytes, digest, redaction_state, line_count, expires_at } = of
  return {
    ref_id: id,
    uri,
    name,
    ...(title !== undefined && { title }),
    media_type,
    size_bytes,
    digest,
    access: 'tenant',
    relation: 'produced',
    redaction_state,
    ...(expires_at !== undefined && { expires_at }),
    toolcrib: {
      version,
      invocation_id: of.provenance.invocation_id,
      ...(line_count !== undefined && { line_count }),
    },
  }
}
