import type { StreamEntry } from '../../storage/journal/journal.js'
import { mergeContext, type Member } from './batch-member.js'
import type { BatchPorts } from './batch-ports.js'
import type { Surface } from '../surfaces/surface.js'

/** The policy of each batch, by the id of the batch, which is also that of its stream. */
export const BATCH_KIND = 'scheduler_policy'

/** The end of a batch, as recorded. */
export interface ClosedBatch {
  readonly calls: readonly {
    readonly invocation_id?: string | undefined
    readonly status?: string | undefined
  }[]
}

/** The record of a batch: its policy, and the results of its calls. */
export interface BatchRecord {
  close(members: readonly Member[]): void
}

export function recordBatch(
  { batchId, policy, journal, now }: Pick<BatchPorts, 'batchId' | 'policy' | 'journal' | 'now'>,
  surface: Surface,
): BatchRecord {
  const tenant = surface.request.tenant!
  const stream: StreamEntry = { tenant, stream: batchId, sequence: 0 }
  const at = now()
  journal.append(
    stream,
    [{ type: 'toolcrib.batch.opened', at, data: { surface_id: surface.id, policy } }],
    [{ tenant, kind: BATCH_KIND, id: batchId, updatedAt: at, value: policy }],
  )
  return {
    close(members) {
      const calls = members.map(({ run, result }) => ({
        invocation_id: run?.row.invocationId,
        status: result?.status,
      }))
      const context = mergeContext(members).modifiers.map(({ invocationId }) => invocationId)
      const data: ClosedBatch = { calls, ...(context.length > 0 && { context_modifiers: context }) }
      journal.append(stream, [{ type: 'toolcrib.batch.closed', at: now(), data }])
    },
  }
}
