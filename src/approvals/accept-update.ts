import type { ApprovalScope } from '../contract/unions.js'

/** Makes a change of rules that came with an answer. */
export type AcceptUpdate = (
  update: Readonly<Record<string, unknown>>,
  about: {
    by: string
    roles?: readonly string[] | undefined
    scope: Exclude<ApprovalScope, 'once'>
    tenant: string
    session?: string | undefined
    toolId: string
  },
) => unknown
