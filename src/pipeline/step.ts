import type { ToolError } from '../contract/objects/tool-error.js'
import type { CallState } from './call-state.js'

export type Patch = Partial<CallState>

/** What a phase says when it is done; walking on is the runner's business. */
export type Step =
  | { kind: 'proceed'; patch: Patch | undefined }
  /** The input changed: it is checked and judged again. */
  | { kind: 'again'; patch: Patch }
  /** The tool is to run once more: the call stands in line again, with what was judged. */
  | { kind: 'retry'; patch: Patch | undefined }
  /** An expected end: a terminal result that says why. */
  | { kind: 'stop'; patch: Patch }
  /** The call is put down where it waits; another process goes on with it. */
  | { kind: 'rest'; patch: undefined }

/** A step that is not there yet, told to one listener. What a promise of it would cost is a good part of a call. */
export interface Later {
  tell(goOn: (step: Step) => void): void
}

/** For whoever can only wait for a promise. */
export function settled(step: Step | Promise<Step> | Later): Step | Promise<Step> {
  return 'tell' in step ? new Promise((resolve) => step.tell(resolve)) : step
}

const PROCEED: Step = Object.freeze({ kind: 'proceed', patch: undefined })

export function proceed(patch?: Patch): Step {
  return patch === undefined ? PROCEED : { kind: 'proceed', patch }
}

export function again(patch: Patch): Step {
  return { kind: 'again', patch }
}

export function retry(patch?: Patch): Step {
  return { kind: 'retry', patch }
}

export type Stop = Extract<Step, { kind: 'stop' }>

export function stop(error: ToolError, patch?: Patch): Stop {
  return { kind: 'stop', patch: { ...patch, error } }
}

export function rest(): Step {
  return { kind: 'rest', patch: undefined }
}
