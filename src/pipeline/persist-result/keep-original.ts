import type { PayloadRef } from '../../contract/objects/tool-result.js'
import type { OutputText } from '../../results/payload-of.js'
import type { DrainedStream } from '../../results/payloads/drain-stream.js'
import { nativeRef, protectedRef, toPayloadRef } from '../../results/payloads/payload-record.js'
import type { CallRun } from '../call-run.js'
import { checkThere } from './check-there.js'
import type { Patience } from './patience.js'
import { whyNotKept } from './why-not-kept.js'

interface OriginalContext {
  run: CallRun
  patience: Patience
}

/** Outputs as they were before somebody took something out of them: sealed, for the actors that the crib names. */
export interface KeptOriginals {
  /** Before secrets were taken out. */
  unredacted?: PayloadRef
  /** Before a hook put another in its place. */
  native?: PayloadRef
  /** Why one of them could not be kept. */
  problem?: string
}

export async function keepOriginals(run: CallRun, patience: Patience): Promise<KeptOriginals> {
  const kept: KeptOriginals = {}
  const place = { run, patience }
  const { invocationId } = run.row
  try {
    if (run.original)
      kept.unredacted = await keep(place, run.original, { uri: protectedRef(invocationId), is: 'protected' })
    if (run.native) kept.native = await keepNative(place, run.native)
    if (run.nativeStream) kept.native = await keepNativeStream(place, run.nativeStream)
  } catch (error) {
    kept.problem = whyNotKept(error, run)
  }
  return kept
}

/** Sealed also where nobody is named: whoever replaced it may have had to, and an operator may have to look. */
function keepNative(place: OriginalContext, output: OutputText): Promise<PayloadRef> {
  return keep(place, output, { uri: nativeRef(place.run.row.invocationId), is: 'native' })
}

/** Its bytes are clean and on disk already. Where nobody may see them they go again, or are left to the sweeper. */
async function keepNativeStream(
  { run, patience }: OriginalContext,
  { written, mediaType, sizeBytes, isRedacted, name }: DrainedStream,
): Promise<PayloadRef> {
  const { protectedReaders: readers, payloads } = run.ports
  const { tenant, invocationId } = run.row
  const digest = written && { digest: written.stat.digest }
  if (readers.length === 0 || !written) {
    if (written) await patience.within(() => payloads.discard(written, tenant)).catch(() => {})
    return {
      media_type: mediaType,
      size_bytes: sizeBytes,
      ...digest,
      access: 'not_kept',
      relation: 'native_output',
    }
  }
  await patience.within(() => checkThere(written, run))
  const record = await payloads.register(written, {
    tenant,
    uri: nativeRef(invocationId),
    class: 'native',
    mediaType,
    redactionState: isRedacted ? 'partially_redacted' : 'none',
    invocationId,
    name,
    readers,
  })
  return toPayloadRef(record, 'native_output')
}

async function keep(
  { run, patience }: OriginalContext,
  { text, bytes = Buffer.from(text), mediaType }: OutputText,
  { uri, is }: { uri: string; is: 'protected' | 'native' },
): Promise<PayloadRef> {
  const about = {
    tenant: run.row.tenant,
    uri,
    class: is,
    mediaType,
    redactionState: 'none' as const,
    invocationId: run.row.invocationId,
    readers: run.ports.protectedReaders,
  }
  const record = await patience.within((signal) => run.ports.payloads.keepSealed(bytes, about, signal))
  return toPayloadRef(record, is === 'native' ? 'native_output' : 'unredacted_output')
}
