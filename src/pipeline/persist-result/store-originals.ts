import type { PayloadRef } from '../../contract/objects/tool-result.js'
import type { OutputText } from '../../results/payload-of.js'
import type { DrainedStream } from '../../results/payloads/drain-stream.js'
import { nativeRef, protectedRef, toPayloadRef } from '../../results/payloads/payload-record.js'
import type { PersistRun } from './persist-ports.js'
import { checkStillStored } from './check-still-stored.js'
import type { StorageTimeLimit } from './storage-time-limit.js'
import { storageProblem } from './storage-problem.js'

interface OriginalContext {
  run: PersistRun
  timeLimit: StorageTimeLimit
}

/** Outputs before redaction or replacement: sealed, for the actors that the crib names. */
export interface StoredOriginals {
  /** Before secrets were redacted. */
  unredacted?: PayloadRef
  /** Before a hook replaced it. */
  native?: PayloadRef
  /** Why one of them could not be stored. */
  problem?: string
}

export async function storeOriginals(run: PersistRun, timeLimit: StorageTimeLimit): Promise<StoredOriginals> {
  const kept: StoredOriginals = {}
  const context = { run, timeLimit }
  const { invocationId } = run.row
  try {
    if (run.original)
      kept.unredacted = await keep(context, run.original, {
        uri: protectedRef(invocationId),
        is: 'protected',
      })
    if (run.native) kept.native = await storeNative(context, run.native)
    if (run.nativeStream) kept.native = await storeNativeStream(context, run.nativeStream)
  } catch (error) {
    kept.problem = storageProblem(error, run)
  }
  return kept
}

/** Sealed also if no readers are named: the replacement may have been necessary, and an operator may have to look. */
function storeNative(context: OriginalContext, output: OutputText): Promise<PayloadRef> {
  return keep(context, output, { uri: nativeRef(context.run.row.invocationId), is: 'native' })
}

/** Its bytes are redacted and on disk already. Without readers they are removed, or left to the sweeper. */
async function storeNativeStream(
  { run, timeLimit }: OriginalContext,
  { written, mediaType, sizeBytes, isRedacted, name }: DrainedStream,
): Promise<PayloadRef> {
  const { protectedReaders: readers, payloads } = run.ports
  const { tenant, invocationId } = run.row
  const digest = written && { digest: written.stat.digest }
  if (readers.length === 0 || !written) {
    if (written) await timeLimit.within(() => payloads.discard(written, tenant)).catch(() => {})
    return {
      media_type: mediaType,
      size_bytes: sizeBytes,
      ...digest,
      access: 'not_kept',
      relation: 'native_output',
    }
  }
  await timeLimit.within(() => checkStillStored(written, run))
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
  { run, timeLimit }: OriginalContext,
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
  const record = await timeLimit.within((signal) => run.ports.payloads.keepSealed(bytes, about, signal))
  return toPayloadRef(record, is === 'native' ? 'native_output' : 'unredacted_output')
}
