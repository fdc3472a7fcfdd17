import type { ToolError } from '../../contract/objects/tool-error.js'
import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { InterruptBehavior, ContextModifierPolicy } from '../../contract/unions.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { CallFacts } from '../../catalog/facts.js'

/** Changed by the scheduler. */
export interface ScheduleState {
  /** Its slot in a batch. */
  slot?: CallSlot | undefined
  /** What the call holds while it runs, or waits for. */
  schedule: ScheduledCall | undefined
}

/** What a call holds while its executor runs. */
export interface ScheduledCall {
  /** Whether no other call of its batch ran at the same time; known once it has left. */
  readonly wasAlone: boolean
  /** Releases the locks while the executor waits for a person. */
  releaseLocks(): void
  /** Takes the locks again; resolves when they are held. */
  reacquireLocks(): Promise<void>
  /** Resolves when another `reacquireLocks` has taken them again. */
  whenReacquired(): Promise<void>
  /** Gives everything back; a second time does nothing. */
  leave(error: ToolError | undefined): void
}

/** A call's slot in its batch. */
export interface CallSlot {
  readonly policyRef: string
  readonly contextModifierPolicy: ContextModifierPolicy | undefined
  /** For tools that declare none. */
  readonly interruptBehavior: InterruptBehavior | undefined
  /** The call whose failure canceled this one. */
  readonly canceledBy: string | undefined
  /** All earlier results were handed over: its own need not wait. */
  readonly isNext: boolean
  /** Its result is being handed over. */
  takeYield(): void
  foresee(facts: CallFacts, tool: CatalogTool): void
  leave(): void
  /** The call has its result. */
  ended(result: ToolResult): void
  /** Its result is given to its caller. */
  handOver(result: ToolResult): void
  /** The call has no result in this process: it was suspended or failed unexpectedly. */
  break(error: unknown): void
}
