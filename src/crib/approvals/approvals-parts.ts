import type { Catalog } from '../../catalog/catalog.js'
import type { SealKeys } from '../../platform/sealing/derive-keys.js'
import type { AcceptUpdate } from '../../approvals/accept-update.js'
import type { Approver } from '../../policy/decision.js'
import type { Redactor } from '../../redaction/redactor.js'
import type { Journal } from '../../storage/journal/journal.js'
import type { Store } from '../../storage/store.js'

/** What approvals need of the crib. */
export interface ApprovalsParts {
  readonly store: Store
  readonly journal: Journal
  keys(): SealKeys
  /** The names of the reviewers. */
  readonly reviewers: readonly string[]
  readonly expiresMs: number
  now(): number
  /** The crib's own tenant. */
  readonly tenant: string
  readonly catalog: Catalog
  readonly redactor: Redactor
  /** Answers in this process. */
  readonly approver: Approver | undefined
  policyRevision(): string
  readonly acceptUpdate: AcceptUpdate | undefined
}
