import { isoTime } from '../../contract/iso-time.js'
import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { ToolResultPersistence } from '../../contract/objects/tool-result-persistence.js'
import { SCHEMA_VERSION } from '../../contract/unions.js'
import { withoutUndefined } from '../../platform/json/without-undefined.js'
import { persistencePolicyRef, type PersistencePolicy } from '../../catalog/records/persistence-policy.js'
import { wholeOf } from '../../results/payload-of.js'
import type { WrittenPayload } from '../../results/payloads/payloads.js'
import { dropResult, keepEnvelope, redactResult } from '../../results/redact-result.js'
import { record } from '../record.js'
import type { PersistRun } from './persist-ports.js'
import type { CallState } from '../call-state.js'
import { recordArtifacts } from './record-artifacts.js'
import { addSideOutput } from './add-side-output.js'
import { storeMedia, type SlimResult } from './store-media.js'
import { storeOriginals, type StoredOriginals } from './store-originals.js'
import { storeOutput, type StoreContext, type StoredOutput } from './store-output.js'
import { createStorageTimeLimit, type StorageTimeLimit } from './storage-time-limit.js'
import type { PersistenceRequirements } from './persistence-requirements.js'
import { sizePolicyOf, type SizePolicy } from './size-policy.js'
import { proceed, type Patch, type Step } from '../step.js'
import { toolTitle } from '../resolve-tool/tool-title.js'
import { withArtifacts } from './with-artifacts.js'

interface About {
  result: ToolResult
  requirements: PersistenceRequirements
}

/** Stores what is too large for a result elsewhere, as tool, surface and hooks require, and records the decision. */
export async function storeResult(call: CallState, run: PersistRun, about: About): Promise<Step> {
  const timeLimit = createStorageTimeLimit(run)
  try {
    return await storeWithin(timeLimit, { call, run, ...about })
  } finally {
    timeLimit.end()
  }
}

async function storeWithin(
  timeLimit: StorageTimeLimit,
  { call, run, result, requirements: ofHooks }: About & { call: CallState; run: PersistRun },
): Promise<Step> {
  const policy = sizePolicyOf(run)
  const requirements = withOwnRequirements(ofHooks, policy, call.streamed !== undefined)
  const { notKept, dropped, redacted } = requirements
  const left = leftOf(result, requirements, run)
  if (left !== result) record(run, 'tool.result.redacted', redactionOf(left, requirements))
  // A dropped or fully redacted output is not stored anywhere else either.
  const isWhole = !dropped && !(redacted && redacted.fields === undefined)
  const context = {
    call,
    run,
    policy,
    timeLimit,
    mayKeep: isWhole && !notKept && policy.strategy !== 'drop_with_reason',
  }
  const slim: SlimResult = isWhole ? await storeMedia(left, context) : { given: left, kept: left }
  const output = isWhole ? await storeOutput(slim.kept, context) : undefined
  const kept = output && left === result ? await addSideOutput(output, slim.kept, context) : output
  const originals = isWhole && !notKept ? await storeOriginals(run, timeLimit) : {}
  const mayStoreArtifacts = isWhole && !notKept && !redacted
  const artifacts = await recordArtifacts(left, { call, run, timeLimit, mayKeep: mayStoreArtifacts })
  const { streamed } = call
  if (streamed?.written && !context.mayKeep) await discardStream(context, streamed.written)
  const isDecided = dropped ?? redacted ?? notKept ?? kept ?? originals.unredacted ?? originals.native
  if (!isDecided && slim.given === result)
    return proceed(artifacts && { result: withArtifacts(result, artifacts, () => toolTitle(call, run)) })
  const strategy = strategyOf(requirements, { kept, originals, slim })
  const inForce = policyInForce(policy)
  const policyRef = persistencePolicyRef(inForce)
  run.ports.keepDefinition(policyRef, () => inForce)
  const persistence: ToolResultPersistence = {
    schema_version: SCHEMA_VERSION,
    decision_id: `persist_${call.invocationId}`,
    invocation_id: call.invocationId,
    result_id: result.result_id,
    ...strategy,
    threshold: thresholdOf(policy, kept),
    original_size_bytes: kept?.originalBytes ?? bytesOf(result),
    // A fully redacted result has no preview.
    preview_size_bytes: notKept || left.status === 'redacted' ? 0 : (kept?.previewBytes ?? bytesOf(left)),
    ...(kept?.ref && { persisted_ref: kept.ref }),
    redaction_state: left.redaction_state ?? 'none',
    toolcrib: { ...strategy.toolcrib, persistence_policy_ref: policyRef },
    created_at: isoTime(run.ports.now()),
  }
  record(run, 'tool.result.persisted', { persistence })
  // A result is created once it is decided what of it is stored.
  const refs = { persistence_refs: [persistence.decision_id], created_at: persistence.created_at }
  const complete = (bare: ToolResult): ToolResult =>
    withArtifacts(withOriginals({ ...bare, ...refs }, originals), artifacts, () => toolTitle(call, run))
  const whole = kept && left === result ? await promisedWhole(kept, slim.given, context) : undefined
  const given = complete(whole ?? kept?.result ?? slim.given)
  // The error of a failed result quotes the output, so it is replaced by the redacted one.
  const patch: Patch = call.error ? { result: given, error: given.error } : { result: given }
  if (notKept) return proceed({ ...patch, kept: { ...keepEnvelope(given, notKept.reason), ...refs } })
  if (kept && whole) return proceed({ ...patch, kept: complete(kept.result) })
  if (kept || slim.kept === slim.given) return proceed(patch)
  return proceed({ ...patch, kept: complete(slim.kept) })
}

/**
 * A client with an output schema rejects a success whose data does not fit. If the preview in place of its texts does
 * not fit, or there is none, a caller that uses a protocol gets the data whole; the log has the ref.
 */
async function promisedWhole(
  { result }: StoredOutput,
  { structured_content: data }: ToolResult,
  { call, run, policy }: StoreContext,
): Promise<ToolResult | undefined> {
  const check = run.tool!.prepared.output
  const isByProtocol = run.client !== undefined || call.request.nativeCallId !== undefined
  if (!check || !isByProtocol || data === undefined || result.is_error) return undefined
  if (policy.strategy === 'ref_only' || policy.strategy === 'drop_with_reason') return undefined
  const { structured_content: shown } = result
  if (shown !== undefined && (await check(shown)).ok) return undefined
  return { ...result, structured_content: data }
}

/** The stream was written before a hook could forbid storing it. If this fails, a sweep removes the bytes. */
async function discardStream({ run, timeLimit }: StoreContext, written: WrittenPayload): Promise<void> {
  try {
    await timeLimit.within(() => run.ports.payloads.discard(written, run.row.tenant))
  } catch {
    // The result is correct all the same, and nothing refers to the bytes.
  }
}

function withOriginals(result: ToolResult, { unredacted, native }: StoredOriginals): ToolResult {
  if (!unredacted && !native) return result
  return {
    ...result,
    ...(unredacted && { resource_refs: [...(result.resource_refs ?? []), unredacted] }),
    ...(native && { native_output: native }),
  }
}

/**
 * Adds the requirements of the tool or the surface to those of the hooks. If a hook requires the same, the record names
 * the hook.
 */
function withOwnRequirements(
  ofHooks: PersistenceRequirements,
  { notKept, redacted }: SizePolicy,
  isStreamed: boolean,
): PersistenceRequirements {
  const requirements = { ...ofHooks }
  if (notKept) requirements.notKept ??= notKept
  // The whole result includes the fields that a hook names.
  if (redacted) requirements.redacted = { ...(ofHooks.redacted ?? redacted), fields: undefined }
  // An output too long to hold has no fields that could be removed.
  else if (isStreamed && requirements.redacted)
    requirements.redacted = { ...requirements.redacted, fields: undefined }
  return requirements
}

/** The part of the result that may be given or stored. */
function leftOf(
  result: ToolResult,
  { dropped, redacted }: PersistenceRequirements,
  { redactor }: PersistRun,
): ToolResult {
  if (dropped) return dropResult(result, dropped.reason)
  return redacted ? redactResult(result, { ...redacted, redactor }) : result
}

/** What was redacted, and who required it. */
function redactionOf(left: ToolResult, { dropped, redacted }: PersistenceRequirements): object {
  const { reason, by } = (dropped ?? redacted)!
  return {
    result_id: left.result_id,
    redaction_state: left.redaction_state,
    reason,
    by,
    ...(!dropped && redacted?.fields && { fields: redacted.fields }),
  }
}

/** The joint policy of tool, surface and crib for such results. */
function policyInForce(policy: SizePolicy): PersistencePolicy {
  const { strategy, notKept, redacted, maxChars, maxLines, maxTokens, previewChars } = policy
  return withoutUndefined({
    strategy: notKept ? 'never_persist' : redacted ? 'redact' : strategy,
    max_inline_chars: maxChars,
    max_inline_lines: maxLines,
    max_inline_tokens: maxTokens,
    preview_chars: previewChars,
  })
}

function bytesOf(result: ToolResult): number {
  return Buffer.byteLength(wholeOf(result).text)
}

/** The one decision that says most about what is stored: a call has one. */
function strategyOf(
  { notKept, dropped, redacted }: PersistenceRequirements,
  {
    kept,
    originals: { unredacted, native, problem },
    slim: { given, kept: logged, problem: lost },
  }: { kept: StoredOutput | undefined; originals: StoredOriginals; slim: SlimResult },
): Pick<ToolResultPersistence, 'strategy' | 'reason' | 'toolcrib'> {
  const toolcrib = {
    ...(redacted && { redacted_by: redacted.by, redaction_reason: redacted.reason }),
    ...(problem !== undefined && { original_not_kept: problem }),
    ...(lost !== undefined && { parts_not_kept: lost }),
  }
  if (notKept)
    return {
      strategy: 'never_persist',
      reason: notKept.reason,
      toolcrib: { ...toolcrib, by: notKept.by },
    }
  if (dropped) return { strategy: 'drop_with_reason', reason: dropped.reason, toolcrib: { by: dropped.by } }
  if (kept) return { strategy: kept.strategy, reason: kept.reason, toolcrib }
  if (!redacted && lost !== undefined)
    return { strategy: 'drop_with_reason', reason: `could_not_be_kept: ${lost}`, toolcrib }
  const isByReference = given !== logged || unredacted !== undefined || native?.access !== 'not_kept'
  if (!redacted)
    return {
      strategy: 'inline',
      reason: isByReference ? 'parts_kept_by_reference' : 'native_output_not_kept',
      toolcrib,
    }
  const { reason, by, fields } = redacted
  return { strategy: 'redact', reason, toolcrib: { by, ...(fields && { fields }) } }
}

function thresholdOf(
  { maxChars, maxLines, maxTokens }: SizePolicy,
  kept: StoredOutput | undefined,
): NonNullable<ToolResultPersistence['threshold']> {
  const own = {
    ...(maxLines !== undefined && { max_inline_lines: maxLines }),
    ...(maxTokens !== undefined && { max_inline_tokens: maxTokens }),
    ...(kept?.exceeded && { exceeded: kept.exceeded }),
  }
  return { max_inline_chars: maxChars, ...(Object.keys(own).length > 0 && { toolcrib: own }) }
}
