import { errorMessage } from '../../platform/text/error-message.js'
import type { PipelineRun } from '../../pipeline/ports.js'
import type { Journal } from '../../storage/journal/journal.js'
import { SYSTEM_TENANT } from '../../storage/store.js'
import type { CribModule } from '../assemble.js'
import type { CallsPort } from '../calls/calls-module.js'
import type { Crib } from '../crib.js'
import type { RecordPort } from '../record-module.js'
import type { EndedCall } from './crib-monitor.js'

/** The state of this process. Nothing is measured before somebody asks or listens. */
export function openMonitor({
  journal,
  live,
  now,
}: RecordPort & CallsPort): CribModule<object, Pick<Crib, 'monitor'>> {
  return {
    api: {
      monitor: {
        calls() {
          let waiting = 0
          for (const { row } of live.all())
            if (row.status === 'awaiting_approval' || row.status === 'needs_input') waiting++
          return { running: live.size - waiting, waiting }
        },
        writeFailures: journal.failureCount,
        storeProblem: rarely(() => problemOf(journal, now())),
        onCallEnd: (listener) => live.onEnd((run) => listener(endedCall(run))),
      },
    },
  }
}

const REPEATED_MS = 1000

/** The check is public: many requests must not become many writes. */
function rarely<Value>(check: () => Promise<Value>): () => Promise<Value> {
  let last: { readonly at: number; readonly value: Promise<Value> } | undefined
  return () => {
    const at = performance.now()
    if (!last || at - last.at >= REPEATED_MS) last = { at, value: check() }
    return last.value
  }
}

async function problemOf(journal: Journal, at: number): Promise<string | undefined> {
  try {
    // Records that could not be written are tried again first: a store that takes only small writes is no good store.
    await journal.flush()
    const probe = { tenant: SYSTEM_TENANT, kind: 'readiness', id: 'probe' }
    await journal.store.write({ documents: [{ ...probe, updatedAt: at, value: { at } }] })
    return undefined
  } catch (error) {
    return errorMessage(error)
  }
}

function endedCall({ row, tool, at }: PipelineRun): EndedCall {
  return {
    invocationId: row.invocationId,
    toolId: row.toolId,
    source: tool?.source,
    tenant: row.tenant,
    actor: row.actor,
    status: row.status,
    resultStatus: row.resultStatus!,
    durationMs: at - row.createdAt,
  }
}
