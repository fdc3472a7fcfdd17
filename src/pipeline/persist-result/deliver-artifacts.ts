import type { ArtifactProvenance } from '../../contract/objects/toolcrib-artifact.js'
import type { ToolError } from '../../contract/objects/tool-error.js'
import type { ToolResult } from '../../contract/objects/tool-result.js'
import { isKeptRef } from '../../contract/kept-ref.js'
import { inputRef } from '../../storage/journal/project-call.js'
import { handOffOf, type KeptVersion, type MadeVersion } from '../../results/artifacts/artifacts.js'
import { previewOfArtifact } from '../../results/artifacts/preview-of-artifact.js'
import { unmetExpectations, type Delivered } from '../../results/artifacts/unmet-expectations.js'
import { record, type CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import { checkThere } from './check-there.js'
import { cleanText } from '../secrets/clean.js'
import { completeGuidance } from '../failures/complete-guidance.js'
import type { DrainedArtifact } from '../execute/drain-artifacts.js'
import type { Patience } from './patience.js'
import { toolError } from '../failures/tool-error.js'
import { whyNotKept } from './why-not-kept.js'

/** What a call delivered beside its output. */
export interface Delivery {
  kept: readonly KeptVersion[]
  /** What of it is nowhere, or was promised and did not come. */
  error: ToolError | undefined
}

interface DeliveryContext {
  call: CallState
  run: CallRun
  patience: Patience
  /** Whether anything of this result may go anywhere. */
  mayKeep: boolean
}

/** Makes records of what a tool delivers, and holds it against what the tool promised. Nothing where neither speaks. */
export async function deliverArtifacts(
  result: ToolResult,
  place: DeliveryContext,
): Promise<Delivery | undefined> {
  const { call, run, mayKeep } = place
  const { artifacts = [] } = call
  const { artifacts: promised } = run.tool!.draft.output
  if (artifacts.length === 0 && !promised) return undefined
  if (artifacts.length > 0 && !mayKeep) {
    await discardWritten(artifacts, place)
    const why = 'The artifacts were not kept: what this call gave is held back, in part or as a whole.'
    return { kept: [], error: notKept(place, why) }
  }
  const { kept, problems } = await keepAll(artifacts, place)
  if (problems.length > 0) return { kept, error: notKept(place, problems.join(' ')) }
  if (!promised || result.is_error) return { kept, error: undefined }
  const sentence = unmetExpectations(promised, [...kept.map(deliveredOf), ...linkedIn(result)])
  return { kept, error: sentence === undefined ? undefined : missing(place, sentence) }
}

/** Nothing refers to the bytes: where this fails, a sweep takes them away. */
async function discardWritten(
  artifacts: readonly DrainedArtifact[],
  { run, patience }: DeliveryContext,
): Promise<void> {
  for (const { written } of artifacts)
    if (written)
      await patience.within(() => run.ports.payloads.discard(written, run.row.tenant)).catch(() => {})
}

interface Outcome {
  kept: KeptVersion[]
  problems: string[]
}

/** New ones are put into the log together, in the group that the end of the call is in or in one before it. */
async function keepAll(
  artifacts: readonly DrainedArtifact[],
  { call, run, patience }: DeliveryContext,
): Promise<Outcome> {
  const outcome: Outcome = { kept: [], problems: [] }
  if (artifacts.length === 0) return outcome
  // Whatever this process says of the call is not heard any more.
  if (run.isLost)
    return { kept: [], problems: ['The artifacts were not kept: another process has the call.'] }
  const { artifacts: shelf, journal } = run.ports
  let provenance: ArtifactProvenance
  try {
    provenance = await provenanceOf(call, run)
  } catch (error) {
    return { kept: [], problems: [`The artifacts could not be kept: ${whyNotKept(error, run)}`] }
  }
  const prepared: { put(): void }[] = []
  for (const each of artifacts) {
    const { name, artifact: id } = each.said
    try {
      if (!each.written) throw new Error(each.problem ?? 'its bytes are nowhere')
      const { written } = each
      await patience.within(() => checkThere(written, run))
      const made = madeOf(each, { written, tenant: run.row.tenant, provenance })
      const kept = id === undefined ? await shelf.prepare(made) : await shelf.addVersion(id, made)
      if (!kept) throw new Error(`${id} was removed meanwhile`)
      outcome.kept.push(kept)
      if ('put' in kept) prepared.push(kept as KeptVersion & { put(): void })
    } catch (error) {
      const why = whyNotKept(error, run)
      outcome.problems.push(
        cleanText(`The artifact ${name} could not be kept: ${why}.`.replace(/\.\.$/, '.'), run),
      )
    }
  }
  for (const { put } of prepared) put()
  for (const kept of outcome.kept) tell(kept, run)
  try {
    // A deliverable is not said to be there before its record is on disk.
    await journal.durable()
    return outcome
  } catch (error) {
    return { kept: [], problems: [`The artifacts could not be kept: ${whyNotKept(error, run)}`] }
  }
}

function tell(kept: KeptVersion, run: CallRun): void {
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
  { said, stream, isRedacted }: DrainedArtifact,
  given: Pick<MadeVersion, 'written' | 'tenant' | 'provenance'>,
): MadeVersion {
  const { name, title, description, handOff } = said
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

async function provenanceOf(call: CallState, run: CallRun): Promise<ArtifactProvenance> {
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

/** What was kept before and went into this call. */
async function sourcesOf(input: unknown, run: CallRun): Promise<Record<string, unknown>[]> {
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

function deliveredOf({ artifact: { name }, version: { media_type: mediaType } }: KeptVersion): Delivered {
  return { name, mediaType }
}

function linkedIn({ artifact_refs: refs = [] }: ToolResult): Delivered[] {
  return refs.map(({ name, media_type: mediaType }) => ({ name, mediaType }))
}

function notKept({ call, run }: DeliveryContext, message: string): ToolError {
  const code = 'toolcrib.artifact_not_kept'
  return completeGuidance(call, run, toolError('partial_failure', { code, message }))
}

function missing({ call, run }: DeliveryContext, message: string): ToolError {
  const code = 'toolcrib.artifact_missing'
  return completeGuidance(call, run, toolError('partial_failure', { code, message }))
}
