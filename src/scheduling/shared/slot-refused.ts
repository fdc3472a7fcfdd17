import type { ToolError } from '../../contract/objects/tool-error.js'

const CODE = 'toolcrib.place_refused'

/** The rejection of a call that must not wait for a slot when none is free. */
export interface SlotRefused extends Error {
  readonly code: typeof CODE
  /** The error that the call ends with. */
  readonly refusal: ToolError
}

export function slotRefused(refusal: ToolError): SlotRefused {
  return Object.assign(new Error(refusal.message), { code: CODE, refusal } as const)
}

export function isSlotRefused(error: unknown): error is SlotRefused {
  return error instanceof Error && 'code' in error && error.code === CODE
}
