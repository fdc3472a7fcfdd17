import type { ToolError } from '../contract/objects/tool-error.js'
import type { CallState } from './call-state.js'

export type Patch = Partial<CallState>

/**
 * A step that most calls take: to the next phase, with a patch that is the step itself. It writes its fields itself, for
 * `Object.assign` looks each of them up, which costs ten times as much.
 */
export abstract class UsualStep {
  abstract applyTo(call: CallState): void

  get kind(): 'proceed' {
    return 'proceed'
  }

  get patch(): Patch {
    return this as Patch
  }
}

/** What a phase returns. The runner chooses the next phase. */
export type Step =
  | { kind: 'proceed'; patch: Patch | undefined }
  /** The input changed: it is checked and judged again. */
  | { kind: 'again'; patch: Patch }
  /** The tool runs once more: the call is scheduled again, with the input that was judged. */
  | { kind: 'retry'; patch: Patch | undefined }
  /** An expected end: a terminal result with the reason. */
  | { kind: 'stop'; patch: Patch }
  /** The call is suspended where it waits; another process resumes it. */
  | { kind: 'suspend'; patch: undefined }

/** A step that comes later, for one listener. A promise would cost a good part of a call. */
export interface Later {
  onStep(listener: StepListener): void
}

/** An object that goes on with the step: a function would be a closure in every call. */
export interface StepListener {
  resume(step: Step): void
}

/** For callers that need a promise. */
export function settled(step: Step | Promise<Step> | Later): Step | Promise<Step> {
  return 'onStep' in step ? new Promise((resume) => step.onStep({ resume })) : step
}

/** For a phase that changes nothing. */
export const PROCEED: Step = Object.freeze({ kind: 'proceed', patch: undefined })

export function proceed(patch: Patch | undefined): Step {
  if (patch === undefined) return PROCEED
  return patch instanceof UsualStep ? patch : { kind: 'proceed', patch }
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

export function suspend(): Step {
  return { kind: 'suspend', patch: undefined }
}
