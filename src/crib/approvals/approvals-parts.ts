import type { Store } from '../../storage/store.js'
import type { Journal } from '../../storage/journal/journal.js'
import type { ApprovalKeys } from '../../approvals/derive-keys.js'
import type { PipelinePorts } from '../../pipeline/call-run.js'
import type { LiveCalls } from '../calls/live-calls.js'

/** What everything around approvals shares. */
export interface ApprovalsParts {
  store: Store
  journal: Journal
  keys: () => ApprovalKeys
  /** The names of those who may answer. */
  reviewers: readonly string[]
  expiresMs: number
  /** Whether to go on with whatever was approved, or only with what is answered here. */
  claims: boolean
  now: () => number
  ports: () => PipelinePorts
  ownerId: string
  live: LiveCalls
  /** The crib's own tenant. */
  tenant: string
  /** An answer may have changed the rules. */
  onAnswered(): Promise<void>
}
