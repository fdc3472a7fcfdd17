import type { ToolError } from '../../foundation/contract/objects/tool-error.js'
import type { CallState } from './call-state.js'

export type Patch = Partial<CallState>

/** What a phase says when it is done; walking on is the runner's business. */
export type Step =
  | { kind: 'proceed'; patch: Patch | undefined }
  /** The input changed: it is checked and judged again. */
  | { kind: 'again'; patch: Patch }
  /** An expected end: a terminal result that says why. */
  | { kind: 'stop'; patch: Patch }
  /** The call is put down where it waits; another process goes on with it. */
  | { kind: 'rest'; patch: undefined }

/** A step that is not there yet, told to one listener. What a promise of it would cost is a good part of a call. */
export interface Later {
  tell(goOn: (step: Step) => void): void
}

const PROCEED: Step = Object.freeze({ kind: 'proceed', patch: undefined })

export function proceed(patch?: Patch): Step {
  return patch === undefined ? PROCEED : { kind: 'proceed', patch }
}

export function again(patch: Patch): Step {
  return { kind: 'again', patch }
}

export type Stop = Extract<Step, { kind: 'stop' }>

export function stop(error: ToolError, patch?: Patch): Stop {
  return { kind: 'stop', patch: { ...patch, error } }
}

export function rest(): Step {
  return { kind: 'rest', patch: undefined }
}
