import { snapshotJson } from '../../platform/json/snapshot-json.js'
import type { RefRun } from './ref-ports.js'
import { inputOf, type CallState } from '../call-state.js'
import { changeInput } from '../input/change-input.js'
import { refsSource } from '../input/own-sources.js'
import { refLocationsIn, replaceRefs } from './ref-locations.js'
import type { Patch } from '../step.js'

/**
 * Replaces moving refs by their current version: the content that is judged and approved must be the content that runs.
 */
export async function pinRefs(call: CallState, run: RefRun): Promise<Patch | undefined> {
  const input = inputOf(call, 'call')
  const tool = run.tool!.draft.input
  const pins = new Map<string, string>()
  for (const { ref, use } of refLocationsIn(input, tool)) {
    if (use === 'keep' || pins.has(ref)) continue
    const pinned = await run.ports.refs.pin(ref, run.row.tenant)
    if (pinned !== ref) pins.set(ref, pinned)
  }
  if (pins.size === 0) return undefined
  const pin = (value: unknown): unknown => {
    const pinned = replaceRefs(value, tool, ({ ref, use }) => (use === 'keep' ? ref : (pins.get(ref) ?? ref)))
    const snapshot = snapshotJson(pinned)
    return 'notJson' in snapshot ? value : snapshot.value
  }
  return changeInput(call, run, {
    input: pin(input),
    source: pin(call.source),
    sourceType: 'runtime',
    sourceRef: refsSource.ref,
    definition: refsSource.definition,
    reason: 'Refs that move are set to the version that they stand for now.',
  })
}
