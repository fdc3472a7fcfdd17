import { isoTime } from '../../contract/iso-time.js'
import type { ToolInputMutation } from '../../contract/objects/tool-input-mutation.js'
import { SCHEMA_VERSION, type MutationSource } from '../../contract/unions.js'
import { JudgedInput } from '../../storage/decision-data.js'
import { inputRef } from '../../storage/journal/project-call.js'
import { record } from '../record.js'
import type { CallRun } from '../call-run.js'
import type { RecordedInput } from './recorded-input.js'
import type { CallState } from '../call-state.js'
import { sameJson } from '../../platform/json/same-json.js'
import { learnSecrets } from '../secrets/learn-secrets.js'
import { shownInput } from './shown-input.js'
import { changedFields } from '../../platform/json/changed-fields.js'
import type { Patch } from '../step.js'

export interface InputChange {
  /** Frozen JSON. */
  input: unknown
  sourceType: MutationSource
  sourceRef: string
  /** The definition behind `sourceRef`, if nothing else stores it. */
  definition?: object
  reason: string
  /** The input that the schema reads from now on; absent if the change follows from the schema itself. */
  source?: unknown
}

/** Adds a version of the input and records its source. Earlier versions stay unchanged. */
export function changeInput(call: CallState, run: CallRun & RecordedInput, change: InputChange): Patch {
  const version = call.inputs.length
  const before = call.inputs[call.call]
  learnSecrets(run, change.input)
  const { definition } = change
  if (definition) run.ports.keepDefinition(change.sourceRef, () => definition)
  const mutation: ToolInputMutation = {
    schema_version: SCHEMA_VERSION,
    mutation_id: `mut_${call.invocationId}_${version}`,
    invocation_id: call.invocationId,
    source_type: change.sourceType,
    source_ref: change.sourceRef,
    from_input_ref: inputRef(call.invocationId, call.call),
    to_input_ref: inputRef(call.invocationId, version),
    changed_fields: changedFields(before, change.input),
    reason: change.reason,
    created_at: isoTime(run.ports.now()),
  }
  const shown = shownInput(change.input, run)
  run.recordedInput = new JudgedInput(version, shown, shown !== change.input)
  record(run, 'toolcrib.invocation.input_changed', { mutation, input: shown })
  return {
    inputs: [...call.inputs, change.input],
    source: 'source' in change ? change.source : call.source,
    observable: isObservable(call, change) ? version : call.observable,
    permission: version,
    call: version,
    // A person approved the input they saw. Later changes by schema and runtime are deterministic, so they are approved
    // too.
    ...(call.isApproved &&
      isSettled(change) &&
      sameJson(call.approvedInput, before) && { approvedInput: change.input }),
    // A hook allowed the input it saw, which is no longer the one that would run.
    ...(call.hookHint?.behavior === 'allow' && !isSettled(change) && { hookHint: undefined }),
    mutations: [
      ...call.mutations,
      { mutation_id: mutation.mutation_id, source_type: change.sourceType, source_ref: change.sourceRef },
    ],
  }
}

/** Hooks and people see the input as it was prepared for them; their own changes are not part of that. */
function isObservable({ rounds }: CallState, { sourceType }: InputChange): boolean {
  return rounds === 0 && isSettled({ sourceType })
}

function isSettled({ sourceType }: Pick<InputChange, 'sourceType'>): boolean {
  return sourceType === 'adapter' || sourceType === 'runtime'
}
