import type { Batch } from '../../../crib/batches/batch.js'
import type { BatchCall } from '../../../crib/batches/batch-calls.js'
import type { BatchPolicy } from '../../../crib/batches/batch-policy.js'
import type { Call } from '../../../crib/calls/call-handle.js'
import type { Crib } from '../../../crib/crib.js'
import { callRequestOf } from '../../../host/load-settings.js'
import type { CribSettings } from '../../../host/crib-settings.js'

/** What a command that calls needs of a crib: one of its own, or the one of a gateway that runs. */
export interface CommandCrib extends Pick<Crib, 'tool' | 'tools' | 'story' | 'read' | 'close'> {
  /** A call is a promise itself, so that it is handed over in an object. */
  startCall(call: Pick<BatchCall, 'name' | 'input'>): Promise<{ call: Call }>
  startBatch(
    calls: readonly BatchCall[],
    options: { policy: BatchPolicy; session: string | undefined },
  ): Promise<{ batch: Batch }>
}

/** A crib of this process. */
export function ownCommandCrib(crib: Crib, settings: CribSettings): CommandCrib {
  return {
    tool: (name) => crib.tool(name),
    tools: () => crib.tools(),
    story: (id) => crib.story(id),
    read: (...given) => crib.read(...given),
    close: () => crib.close(),
    async startCall(call) {
      const surface = await crib.surface(callRequestOf(settings))
      return { call: crib.call(surface, call) }
    },
    async startBatch(calls, { policy, session }) {
      const surface = await crib.surface({
        ...callRequestOf(settings),
        ...(session !== undefined && { session }),
      })
      return { batch: crib.batch(surface, calls, policy) }
    },
  }
}
