import type { ContentBlock, ToolResult } from '../../contract/objects/tool-result.js'
import { describeError } from '../../contract/describe-error.js'
import { toArtifactRef } from '../../results/artifacts/artifact-ref.js'
import { handOffOf, type KeptVersion } from '../../results/artifacts/artifacts.js'
import { headOf } from '../../results/previews/cuts/safe-cut.js'
import type { ArtifactOutcome } from './record-artifacts.js'

const PREVIEW_CHARS = 200

/** Adds refs to the call's artifacts, a block for each, and a sentence for the model. */
export function withArtifacts(
  result: ToolResult,
  artifacts: ArtifactOutcome | undefined,
  toolName: () => string,
): ToolResult {
  if (!artifacts) return result
  const { kept, error } = artifacts
  const words = error && describeError(error, toolName())
  const sentences = [...kept.map(sentenceOf), ...(error && words ? [error.message, words.forModel] : [])]
  if (sentences.length === 0) return result
  const { content = [], model_facing_content: forModel = content, artifact_refs: linked = [] } = result
  const isPartial = error !== undefined && result.status === 'succeeded'
  return {
    ...result,
    content: [...content, ...kept.flatMap(blocksOf)],
    model_facing_content: [...forModel, { type: 'text', text: sentences.join('\n') }],
    ...(kept.length > 0 && {
      artifact_refs: [...linked, ...kept.map(({ artifact, version }) => toArtifactRef(artifact, version))],
    }),
    ...(isPartial && { status: 'partial_succeeded', error, ui_facing_summary: words!.forPerson }),
  }
}

function blocksOf(kept: KeptVersion): ContentBlock[] {
  const { artifact, version } = kept
  const { name, title, description } = artifact
  const { uri, media_type, size_bytes, digest } = version
  const own = {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
  }
  const ref = toArtifactRef(artifact, version)
  const block: ContentBlock = { type: 'artifact_ref', uri, ...own, media_type, size_bytes, digest, ref }
  const handOff = handOffOf(kept)
  if (!handOff) return [block]
  const { ref: to, ...about } = handOff
  return [
    block,
    { type: 'handoff_ref', uri: to, name, ref: { ...ref, uri: to, relation: 'handed_off', toolcrib: about } },
  ]
}

function sentenceOf(kept: KeptVersion): string {
  const { artifact, version } = kept
  const size = version.size_bytes.toLocaleString('en-US')
  const which = version.version === 1 ? '' : `, version ${version.version}`
  const handOff = handOffOf(kept)
  const handed = handOff
    ? ` Handed off to ${handOff.to}${handOff.purpose ? ` (${handOff.purpose})` : ''}: ${handOff.ref}`
    : ''
  const first = `Artifact ${artifact.name}${which} (${version.media_type}, ${size} bytes): ${version.uri}${handed}`
  const begin = headOf(version.preview.trimEnd(), PREVIEW_CHARS)
  return begin.trim() === ''
    ? first
    : `${first}\n${begin}${begin.length < version.preview.trimEnd().length ? '…' : ''}`
}
