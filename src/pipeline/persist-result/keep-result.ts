import { isoTime } from '../../contract/iso-time.js'
import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { ToolResultPersistence } from '../../contract/objects/tool-result-persistence.js'
import { SCHEMA_VERSION } from '../../contract/unions.js'
import { withoutUndefined } from '../../platform/json/without-undefined.js'
import { persistencePolicyRef, type PersistencePolicy } from '../../catalog/records/persistence-policy.js'
import { wholeOf } from '../../results/payload-of.js'
import type { WrittenPayload } from '../../results/payloads/payloads.js'
import { dropResult, keepEnvelope, redactResult } from '../../results/redact-result.js'
import { record, type CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import { deliverArtifacts } from './deliver-artifacts.js'
import { keepBeside } from './keep-beside.js'
import { keepMedia, type SlimResult } from './keep-media.js'
import { keepOriginals, type KeptOriginals } from './keep-original.js'
import { keepOutput, type KeepContext, type KeptOutput } from './keep-output.js'
import { createPatience, type Patience } from './patience.js'
import type { PersistenceWishes } from './persistence-wishes.js'
import { sizePolicyOf, type SizePolicy } from './size-policy.js'
import { proceed, type Patch, type Step } from '../step.js'
import { toolTitle } from '../resolve-tool/tool-title.js'
import { withDelivery } from './with-artifacts.js'

interface About {
  result: ToolResult
  wishes: PersistenceWishes
}

/** Puts what is too much for a result elsewhere, as tool, surface and hooks want it, and says so in a record. */
export async function keepResult(call: CallState, run: CallRun, about: About): Promise<Step> {
  const patience = createPatience(run)
  try {
    return await keepWithin(patience, { call, run, ...about })
  } finally {
    patience.end()
  }
}

async function keepWithin(
  patience: Patience,
  { call, run, result, wishes: ofHooks }: About & { call: CallState; run: CallRun },
): Promise<Step> {
  const policy = sizePolicyOf(run)
  const wishes = withOwnWishes(ofHooks, policy, call.streamed !== undefined)
  const { notKept, dropped, redacted } = wishes
  const left = leftOf(result, wishes, run)
  if (left !== result) record(run, 'tool.result.redacted', redactionOf(left, wishes))
  // Nothing of what somebody wants gone is put anywhere else.
  const isWhole = !dropped && !(redacted && redacted.fields === undefined)
  const place = {
    call,
    run,
    policy,
    patience,
    mayKeep: isWhole && !notKept && policy.strategy !== 'drop_with_reason',
  }
  const slim: SlimResult = isWhole ? await keepMedia(left, place) : { given: left, kept: left }
  const output = isWhole ? await keepOutput(slim.kept, place) : undefined
  const kept = output && left === result ? await keepBeside(output, slim.kept, place) : output
  const originals = isWhole && !notKept ? await keepOriginals(run, patience) : {}
  const mayDeliver = isWhole && !notKept && !redacted
  const delivery = await deliverArtifacts(left, { call, run, patience, mayKeep: mayDeliver })
  const { streamed } = call
  if (streamed?.written && !place.mayKeep) await discardStream(place, streamed.written)
  const isDecided = dropped ?? redacted ?? notKept ?? kept ?? originals.unredacted ?? originals.native
  if (!isDecided && slim.given === result)
    return proceed(delivery && { result: withDelivery(result, delivery, () => toolTitle(call, run)) })
  const strategy = strategyOf(wishes, { kept, originals, slim })
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
    // Of what is taken out as a whole, nothing is shown.
    preview_size_bytes: notKept || left.status === 'redacted' ? 0 : (kept?.previewBytes ?? bytesOf(left)),
    ...(kept?.ref && { persisted_ref: kept.ref }),
    redaction_state: left.redaction_state ?? 'none',
    toolcrib: { ...strategy.toolcrib, persistence_policy_ref: policyRef },
    created_at: isoTime(run.ports.now()),
  }
  record(run, 'tool.result.persisted', { persistence })
  // A result is there once it was decided what of it is kept.
  const refs = { persistence_refs: [persistence.decision_id], created_at: persistence.created_at }
  const dress = (bare: ToolResult): ToolResult =>
    withDelivery(withOriginals({ ...bare, ...refs }, originals), delivery, () => toolTitle(call, run))
  const whole = kept && left === result ? await promisedWhole(kept, slim.given, place) : undefined
  const given = dress(whole ?? kept?.result ?? slim.given)
  // Of an error that tells what came out, only what is left of it may be told.
  const patch: Patch = call.error ? { result: given, error: given.error } : { result: given }
  if (notKept) return proceed({ ...patch, kept: { ...keepEnvelope(given, notKept.reason), ...refs } })
  if (kept && whole) return proceed({ ...patch, kept: dress(kept.result) })
  if (kept || slim.kept === slim.given) return proceed(patch)
  return proceed({ ...patch, kept: dress(slim.kept) })
}

/**
 * A client that was promised data by a schema throws a success away whose data does not fit. Where a preview in the place of
 * its texts does not, or there is none, whoever called by a protocol gets the data whole; the log has the ref.
 */
async function promisedWhole(
  { result }: KeptOutput,
  { structured_content: data }: ToolResult,
  { call, run, policy }: KeepContext,
): Promise<ToolResult | undefined> {
  const check = run.tool!.prepared.output
  const isByProtocol = run.client !== undefined || call.request.nativeCallId !== undefined
  if (!check || !isByProtocol || data === undefined || result.is_error) return undefined
  if (policy.strategy === 'ref_only' || policy.strategy === 'drop_with_reason') return undefined
  const { structured_content: shown } = result
  if (shown !== undefined && (await check(shown)).ok) return undefined
  return { ...result, structured_content: data }
}

/** What a hook does not want kept was written before it could say so. Where that fails, a sweep takes it away. */
async function discardStream({ run, patience }: KeepContext, written: WrittenPayload): Promise<void> {
  try {
    await patience.within(() => run.ports.payloads.discard(written, run.row.tenant))
  } catch {
    // The result is right all the same, and nothing refers to the bytes.
  }
}

function withOriginals(result: ToolResult, { unredacted, native }: KeptOriginals): ToolResult {
  if (!unredacted && !native) return result
  return {
    ...result,
    ...(unredacted && { resource_refs: [...(result.resource_refs ?? []), unredacted] }),
    ...(native && { native_output: native }),
  }
}

/** What the tool or the surface wants is a wish like those of hooks; a hook that wants the same is the one that is named. */
function withOwnWishes(
  ofHooks: PersistenceWishes,
  { notKept, redacted }: SizePolicy,
  isStreamed: boolean,
): PersistenceWishes {
  const wishes = { ...ofHooks }
  if (notKept) wishes.notKept ??= notKept
  // All of it is more than the fields that a hook names.
  if (redacted) wishes.redacted = { ...(ofHooks.redacted ?? redacted), fields: undefined }
  // What is too long to be held has no fields that could be taken out of it.
  else if (isStreamed && wishes.redacted) wishes.redacted = { ...wishes.redacted, fields: undefined }
  return wishes
}

/** What anybody may have of the result. */
function leftOf(
  result: ToolResult,
  { dropped, redacted }: PersistenceWishes,
  { redactor }: CallRun,
): ToolResult {
  if (dropped) return dropResult(result, dropped.reason)
  return redacted ? redactResult(result, { ...redacted, redactor }) : result
}

/** What was taken out of the result, and who wanted that. */
function redactionOf(left: ToolResult, { dropped, redacted }: PersistenceWishes): object {
  const { reason, by } = (dropped ?? redacted)!
  return {
    result_id: left.result_id,
    redaction_state: left.redaction_state,
    reason,
    by,
    ...(!dropped && redacted?.fields && { fields: redacted.fields }),
  }
}

/** What tool, surface and crib together say of results like this one. */
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

/** The one decision that says most about what is kept: a call has one. */
function strategyOf(
  { notKept, dropped, redacted }: PersistenceWishes,
  {
    kept,
    originals: { unredacted, native, problem },
    slim: { given, kept: logged, problem: lost },
  }: { kept: KeptOutput | undefined; originals: KeptOriginals; slim: SlimResult },
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
  kept: KeptOutput | undefined,
): NonNullable<ToolResultPersistence['threshold']> {
  const own = {
    ...(maxLines !== undefined && { max_inline_lines: maxLines }),
    ...(maxTokens !== undefined && { max_inline_tokens: maxTokens }),
    ...(kept?.exceeded && { exceeded: kept.exceeded }),
  }
  return { max_inline_chars: maxChars, ...(Object.keys(own).length > 0 && { toolcrib: own }) }
}
