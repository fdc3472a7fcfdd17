import type { Batch } from '../../../crib/batches/batch.js'
import type { BatchCall } from '../../../crib/batches/batch-calls.js'
import type { BatchPolicy } from '../../../crib/batches/batch-policy.js'
import type { Call } from '../../../crib/calls/call-handle.js'
import type { Crib } from '../../../crib/crib.js'
import type { Surface } from '../../../crib/surfaces/surface.js'
import { callRequestOf, settingsForAgent } from '../../../host/load-settings.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import { textOption, type GivenOptions } from '../program/command.js'
import { usageProblem } from '../program/usage-problem.js'

/** The part of a crib that calling commands need: of a crib in this process, or of a running gateway. */
export interface CommandCrib extends Pick<Crib, 'tool' | 'tools' | 'story' | 'read' | 'close'> {
  /** A call is a promise itself, so that it is returned in an object. */
  startCall(call: Pick<BatchCall, 'name' | 'input'>): Promise<{ call: Call }>
  startBatch(calls: readonly BatchCall[], policy: BatchPolicy): Promise<{ batch: Batch }>
}

/** A crib of this process. */
export function ownCommandCrib(crib: Crib, settings: CribSettings, options: GivenOptions): CommandCrib {
  return {
    tool: (name) => crib.tool(name),
    tools: () => crib.tools(),
    story: (id) => crib.story(id),
    read: (...given) => crib.read(...given),
    close: () => crib.close(),
    async startCall(call) {
      return { call: crib.call(await openCallSurface(crib, settings, options), call) }
    },
    async startBatch(calls, policy) {
      return { batch: crib.batch(await openCallSurface(crib, settings, options), calls, policy) }
    },
  }
}

/** The surface of a command that makes calls: of the config, or of the agent that is named. */
export async function openCallSurface(
  crib: Crib,
  settings: CribSettings,
  options: GivenOptions,
): Promise<Surface> {
  const agent = textOption(options, 'agent')
  const session = textOption(options, 'session')
  const request = callRequestOf(agent === undefined ? settings : settingsForAgent(settings, agent))
  try {
    return await crib.surface({ ...request, ...(session !== undefined && { session }) })
  } catch (error) {
    // An agent that no source offers is no bug.
    throw agent !== undefined && error instanceof TypeError ? usageProblem(error.message) : error
  }
}
