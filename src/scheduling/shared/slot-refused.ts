import type { ToolError } from '../../contract/objects/tool-error.js'

const CODE = 'toolcrib.place_refused'

/** Why a call that is not to wait for a slot got none. */
export interface SlotRefused extends Error {
  readonly code: typeof CODE
  /** What the call is told. */
  readonly refusal: ToolError
}

export function placeRefused(refusal: ToolError): SlotRefused {
  return Object.assign(new Error(refusal.message), { code: CODE, refusal } as const)
}

export function isSlotRefused(error: unknown): error is SlotRefused {
  return error instanceof Error && 'code' in error && error.code === CODE
}
