import type { ArtifactProvenance } from '../../contract/objects/toolcrib-artifact.js'
import type { ToolError } from '../../contract/objects/tool-error.js'
import type { ToolResult } from '../../contract/objects/tool-result.js'
import { isKeptRef } from '../../contract/kept-ref.js'
import { inputRef } from '../../storage/journal/project-call.js'
import { handOffOf, type KeptVersion, type MadeVersion } from '../../results/artifacts/artifacts.js'
import { previewOfArtifact } from '../../results/artifacts/preview-of-artifact.js'
import { unmetExpectations, type ProducedArtifact } from '../../results/artifacts/unmet-expectations.js'
import { record } from '../record.js'
import type { PersistRun } from './persist-ports.js'
import type { CallState } from '../call-state.js'
import { checkStillStored } from './check-still-stored.js'
import { cleanText } from '../secrets/clean.js'
import { completeGuidance } from '../failures/complete-guidance.js'
import type { DrainedArtifact } from '../execute/drained-output.js'
import type { StorageTimeLimit } from './storage-time-limit.js'
import { toolError } from '../failures/tool-error.js'
import { storageProblem } from './storage-problem.js'

/** The artifacts that a call delivered beside its output. */
export interface ArtifactOutcome {
  kept: readonly KeptVersion[]
  /** Artifacts that could not be stored, or that the tool promised and did not deliver. */
  error: ToolError | undefined
}

interface ArtifactContext {
  call: CallState
  run: PersistRun
  timeLimit: StorageTimeLimit
  /** Whether anything of this result may be stored. */
  mayKeep: boolean
}

/** Records the artifacts that a tool delivers, and compares them with its promises. Undefined if there are neither. */
export async function recordArtifacts(
  result: ToolResult,
  context: ArtifactContext,
): Promise<ArtifactOutcome | undefined> {
  const { call, run, mayKeep } = context
  const { artifacts = [] } = call
  const { artifacts: promised } = run.tool!.draft.output
  if (artifacts.length === 0 && !promised) return undefined
  if (artifacts.length > 0 && !mayKeep) {
    await discardWritten(artifacts, context)
    const why = 'The artifacts were not kept: what this call gave is held back, in part or as a whole.'
    return { kept: [], error: notKept(context, why) }
  }
  const { kept, problems } = await storeAll(artifacts, context)
  if (problems.length > 0) return { kept, error: notKept(context, problems.join(' ')) }
  if (!promised || result.is_error) return { kept, error: undefined }
  const sentence = unmetExpectations(promised, [...kept.map(deliveredOf), ...linkedIn(result)])
  return { kept, error: sentence === undefined ? undefined : missing(context, sentence) }
}

/** Nothing refers to the bytes: if this fails, a sweep removes them. */
async function discardWritten(
  artifacts: readonly DrainedArtifact[],
  { run, timeLimit }: ArtifactContext,
): Promise<void> {
  for (const { written } of artifacts)
    if (written)
      await timeLimit.within(() => run.ports.payloads.discard(written, run.row.tenant)).catch(() => {})
}

interface Outcome {
  kept: KeptVersion[]
  problems: string[]
}

/** New artifacts enter the log together, in the group of the call's end or in an earlier one. */
async function storeAll(
  artifacts: readonly DrainedArtifact[],
  { call, run, timeLimit }: ArtifactContext,
): Promise<Outcome> {
  const outcome: Outcome = { kept: [], problems: [] }
  if (artifacts.length === 0) return outcome
  // Records of this process about the call would be dropped.
  if (run.isLost)
    return { kept: [], problems: ['The artifacts were not kept: another process has the call.'] }
  const { artifacts: store, journal } = run.ports
  let provenance: ArtifactProvenance
  try {
    provenance = await provenanceOf(call, run)
  } catch (error) {
    return { kept: [], problems: [`The artifacts could not be kept: ${storageProblem(error, run)}`] }
  }
  const prepared: { put(): void }[] = []
  for (const each of artifacts) {
    const { name, artifact: id } = each.about
    try {
      if (!each.written) throw new Error(each.problem ?? 'its bytes are nowhere')
      const { written } = each
      await timeLimit.within(() => checkStillStored(written, run))
      const made = madeOf(each, { written, tenant: run.row.tenant, provenance })
      const kept = id === undefined ? await store.prepare(made) : await store.addVersion(id, made)
      if (!kept) throw new Error(`${id} was removed meanwhile`)
      outcome.kept.push(kept)
      if ('put' in kept) prepared.push(kept as KeptVersion & { put(): void })
    } catch (error) {
      const why = storageProblem(error, run)
      outcome.problems.push(
        cleanText(`The artifact ${name} could not be kept: ${why}.`.replace(/\.\.$/, '.'), run),
      )
    }
  }
  for (const { put } of prepared) put()
  for (const kept of outcome.kept) recordArtifact(kept, run)
  try {
    // An artifact is announced only after its record is on disk.
    await journal.durable()
    return outcome
  } catch (error) {
    return { kept: [], problems: [`The artifacts could not be kept: ${storageProblem(error, run)}`] }
  }
}

function recordArtifact(kept: KeptVersion, run: PersistRun): void {
  record(run, eventOf(kept), factsOf(kept))
  const { artifact_id } = kept.artifact
  const handOff = handOffOf(kept)
  if (handOff) record(run, 'toolcrib.artifact.handed_off', { artifact_id, ...handOff })
}

function eventOf({ version }: KeptVersion): 'toolcrib.artifact.created' | 'toolcrib.artifact.version_added' {
  return version.version === 1 ? 'toolcrib.artifact.created' : 'toolcrib.artifact.version_added'
}

function factsOf({ artifact, version }: KeptVersion): object {
  const { uri, digest, size_bytes, media_type, version: number } = version
  const { artifact_id, name } = artifact
  return { artifact_id, name, version: number, uri, digest, size_bytes, media_type }
}

function madeOf(
  { about, stream, isRedacted }: DrainedArtifact,
  given: Pick<MadeVersion, 'written' | 'tenant' | 'provenance'>,
): MadeVersion {
  const { name, title, description, handOff } = about
  return {
    ...given,
    name,
    title,
    description,
    handOff,
    mediaType: stream.mediaType,
    isText: stream.isText,
    preview: previewOfArtifact(stream),
    redactionState: isRedacted ? 'partially_redacted' : 'none',
  }
}

async function provenanceOf(call: CallState, run: PersistRun): Promise<ArtifactProvenance> {
  const { actor, session } = run.row
  const { invocationId, inputs } = call
  const digestOf = (version: number, relation: string): ArtifactProvenance['input_digests'][number] => ({
    uri: inputRef(invocationId, version),
    digest: run.ports.hideSecret(JSON.stringify(inputs[version]) ?? 'null'),
    relation,
  })
  return {
    invocation_id: invocationId,
    tool_id: call.toolId,
    tool_fingerprint: call.fingerprint,
    surface_id: call.surfaceId,
    ...(actor !== undefined && { actor }),
    ...(session !== undefined && { session }),
    input_digests:
      call.call === 0 ? [digestOf(0, 'ran')] : [digestOf(0, 'asked'), digestOf(call.call, 'ran')],
    source_refs: await sourcesOf(inputs[call.call], run),
  }
}

/** The stored refs in this call's input, with their digests. */
async function sourcesOf(input: unknown, run: PersistRun): Promise<Record<string, unknown>[]> {
  const found = new Set<string>()
  const walk = (value: unknown): void => {
    if (isKeptRef(value)) found.add(value)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk)
  }
  walk(input)
  const { artifacts, payloads } = run.ports
  return Promise.all(
    [...found].map(async (given) => {
      const uri = await artifacts.settle(run.row.tenant, given)
      const digest = (await payloads.find(run.row.tenant, uri))?.digest
      return { uri, relation: 'read', ...(digest !== undefined && { digest }) }
    }),
  )
}

function deliveredOf({
  artifact: { name },
  version: { media_type: mediaType },
}: KeptVersion): ProducedArtifact {
  return { name, mediaType }
}

function linkedIn({ artifact_refs: refs = [] }: ToolResult): ProducedArtifact[] {
  return refs.map(({ name, media_type: mediaType }) => ({ name, mediaType }))
}

function notKept({ call, run }: ArtifactContext, message: string): ToolError {
  const code = 'toolcrib.artifact_not_kept'
  return completeGuidance(call, run, toolError('partial_failure', { code, message }))
}

function missing({ call, run }: ArtifactContext, message: string): ToolError {
  const code = 'toolcrib.artifact_missing'
  return completeGuidance(call, run, toolError('partial_failure', { code, message }))
}
