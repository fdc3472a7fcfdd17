import type { ContentBlock } from '../../contract/objects/tool-result.js'
import type { Touched } from '../../policy/commands/touched.js'
import type { PermissionRequest, Verdict } from '../../policy/decision.js'
import type { OpenApproval } from './approvals.js'

/** Changed by the permission phase. */
export interface PermissionState {
  /** The request that the call waits for, or whose answer it continues with. */
  approval?: OpenApproval | undefined
  /** Called when the call requests approval. */
  onAsk?: Set<() => void> | undefined
  /** The last decision about the call. */
  decided: Verdict | undefined
  /** What the last judged input touches; undefined where the judge did not ask. */
  touched: Touched | undefined
  /** The last request to the judge. */
  judged: PermissionRequest | undefined
  /** Blocks that deciders add for the model. */
  contentBlocks?: readonly ContentBlock[] | undefined
}
