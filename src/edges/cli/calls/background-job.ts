import type { ToolResult } from '../../../contract/objects/tool-result.js'
import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import type { GivenOptions } from '../program/command.js'

/** What the process that lives on is given. Not on its command line, which everybody on the machine can read. */
export interface BackgroundJob {
  name: string
  input: unknown
  options: GivenOptions
}

/**
 * What it says before it is left alone: a receipt and the question that the call waits for, if it does; the result of a
 * call that ended at once; or why there is none.
 */
export type BackgroundReport = Begun | { problem: string }

export interface Begun {
  first: ToolResult
  pending?: ToolcribApproval | undefined
}
