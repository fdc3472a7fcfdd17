import { JudgedInput } from '../../storage/decision-data.js'
import { projectCall } from '../../storage/journal/project-call.js'
import { sameJson } from '../../platform/json/same-json.js'
import { snapshotJson } from '../../platform/json/snapshot-json.js'
import { toEventList } from '../../storage/event-list.js'
import type { CallRow, LoggedChunk, Store } from '../../storage/store.js'
import type { WaitingCall } from '../../approvals/kept-approval.js'
import type { OpenApproval } from '../../pipeline/permission/approvals.js'
import type { PipelinePorts } from '../../pipeline/ports.js'
import type { CallState } from '../../pipeline/call-state.js'
import { afterChangedInput } from '../../pipeline/order.js'
import { refusalOf } from '../../pipeline/resolve-tool/resolve-tool.js'
import { secretsOf } from '../../pipeline/permission/secrets-of.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { buildSurface } from '../../surfaces/build-surface.js'
import type { Agents } from '../catalog/agents.js'
import { countEvents } from '../recovery/close-call.js'
import { shownIn, type SurfaceDocument } from '../surfaces/surface-document.js'
import { createRun, StartedCall } from '../calls/start-call.js'

export interface Claim {
  row: CallRow
  chunks: readonly LoggedChunk[]
  waiting: WaitingCall
  question: OpenApproval
  tool: CatalogTool
}

/**
 * Takes over a call whose owner is gone and prepares it to resume. By compare-and-set on its row: of several processes,
 * one gets the call and the others get `undefined`. The call is validated and decided again.
 */
export async function resumeCall(
  {
    ports,
    agents,
    store,
    ownerId,
  }: { ports: PipelinePorts; agents: Pick<Agents, 'resolve'>; store: Store; ownerId: string },
  { row, chunks, waiting, question, tool }: Claim,
): Promise<StartedCall | undefined> {
  const surface = await store.getDocument(row.tenant, 'surface', row.surfaceId)
  if (!surface) return undefined
  const now = ports.now()
  const claimed: CallRow = { ...row, owner: ownerId, revision: row.revision + 1 }
  const firstSequence = countEvents(chunks) + 1
  const data = { owner: ownerId, from: row.owner, approval_id: question.approval.approval_id }
  const events = toEventList([{ type: 'toolcrib.invocation.claimed', at: now, data }], row.createdAt)
  const { conflictingCalls } = await store.write({ calls: [{ row: { ...claimed }, firstSequence, events }] })
  if (conflictingCalls.length > 0) return undefined
  const document = surface.value as SurfaceDocument
  // Rules about the tool through which it was requested apply here too.
  ports.discovery.offerFor(document.request)
  // A closing crib lets the calls that it took over run to their end.
  const own: PipelinePorts = {
    ...ports,
    workspace: waiting.workspace,
    closing: new AbortController().signal,
    isClosing: () => false,
  }
  const run = createRun(
    own,
    claimed,
    buildSurface(ports.catalog, agents.resolve(document.request), { shown: shownIn(document) }),
    now,
  )
  run.handedOver = firstSequence
  run.tool = tool
  const call = stateOf(waiting, tool)
  const { requestedVia } = call.request
  if (requestedVia !== undefined) run.via = ports.catalog.get(requestedVia)
  run.approval = question
  run.secrets = secretsOf(waiting.inputs, waiting.secrets, tool)
  run.recordedInput = lastRecorded(chunks, call)
  const refusal = refusalOf(call, run, tool)
  return new StartedCall(refusal ? { ...call, phase: 'emit_terminal', error: refusal } : call, run)
}

/** As recorded: this process may mask differently. */
function lastRecorded(chunks: readonly LoggedChunk[], { inputs }: CallState): JudgedInput {
  const version = inputs.length - 1
  const recorded = projectCall(chunks)?.inputs[version]
  return new JudgedInput(version, recorded, !sameJson(recorded, inputs[version]))
}

function stateOf({ call, inputs }: WaitingCall, tool: CatalogTool): CallState {
  const kept = call as Omit<CallState, 'inputs'>
  return {
    ...kept,
    phase: afterChangedInput,
    rounds: kept.rounds + 1,
    fingerprint: tool.fingerprint,
    inputs: inputs.map(frozen),
    source: frozen(kept.source),
    ...('approvedInput' in kept && { approvedInput: frozen(kept.approvedInput) }),
  }
}

/** Inputs are immutable; unsealed values are plain objects. */
function frozen(value: unknown): unknown {
  const snapshot = snapshotJson(value)
  return 'notJson' in snapshot ? null : snapshot.value
}
