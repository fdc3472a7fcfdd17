import type { ToolResult } from '../../../contract/objects/tool-result.js'
import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import type { GivenOptions } from '../program/command.js'

/** The input of the background process. Not on its command line, which every user of the machine can read. */
export interface BackgroundJob {
  name: string
  input: unknown
  options: GivenOptions
}

/**
 * The report of the background process before it is left alone: a receipt, with the question that the call waits for if
 * any; the result of a call that ended at once; or why there is none.
 */
export type BackgroundReport = Begun | { problem: string }

export interface Begun {
  first: ToolResult
  pending?: ToolcribApproval | undefined
}
