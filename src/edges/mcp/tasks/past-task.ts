import type { ToolResult } from '../../../contract/objects/tool-result.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { OWN_META_KEY } from '../../../sources/mcp/protocol/meta-keys.js'
import { mayAccessCall } from '../tools/is-on-surface.js'
import type { WorkOutcome } from '../calls/open-work.js'
import type { Connection } from '../connection.js'
import type { TaskFacts, TaskStatus } from './task-view.js'
import { toMcpResult } from '../tools/to-mcp-result.js'

/** A task that is not in the memory of this process, read from the records. */
export interface PastTask {
  readonly toolId: string
  readonly facts: TaskFacts
  /** Absent while it runs. */
  readonly outcome: WorkOutcome | undefined
  wait(signal: AbortSignal): Promise<JsonObject>
  cancel(): Promise<void>
}

/** Finds only calls of the same actor, and only of tools on this surface or calls that were made on it. */
export async function readPastTask(taskId: string, connection: Connection): Promise<PastTask | undefined> {
  const { crib } = connection.gateway
  const { tenant } = connection.surface.request
  if (tenant === undefined || !taskId.startsWith('inv_')) return undefined
  await crib.flush()
  const row = await crib.store.getCall(tenant, taskId)
  if (!row || row.actor !== connection.caller.actor || !mayAccessCall(row, connection)) return undefined
  const task = crib.task(taskId, { tenant })
  const tool = crib.tool(row.toolId)
  const isWithheld = tool !== undefined && crib.mayWithhold(tool, connection.surface.request)
  const toResult = (given: ToolResult): JsonObject => toMcpResult(given, { tool, isWithheld })
  const ended = await crib.result(taskId, { tenant })
  const outcome = ended && outcomeOf(() => toResult(ended))
  return {
    toolId: row.toolId,
    facts: {
      taskId,
      status: outcome ? statusOf(outcome) : 'working',
      createdAt: row.createdAt,
      updatedAt: ended ? Date.parse(ended.created_at) : row.createdAt,
      ttlMs: null,
      message: undefined,
    },
    outcome,
    wait: async (signal) => toResult(await task.result({ signal })),
    cancel: async () => void (await task.cancel()),
  }
}

function outcomeOf(toResult: () => JsonObject): WorkOutcome {
  try {
    return { result: toResult() }
  } catch (error) {
    return { error }
  }
}

function statusOf(outcome: WorkOutcome): TaskStatus {
  if ('error' in outcome) return 'failed'
  const own = (outcome.result['_meta'] as JsonObject)[OWN_META_KEY] as JsonObject
  return own['status'] === 'canceled' ? 'cancelled' : 'completed'
}
