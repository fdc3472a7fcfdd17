import type { ToolError } from '../../contract/objects/tool-error.js'
import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { InterruptBehavior, ContextModifierPolicy } from '../../contract/unions.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { CallFacts } from '../../catalog/facts.js'
import type { CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import type { Later, Step } from '../step.js'

/** Who decides when a call that may run does run. */
export interface Scheduling {
  /** Lets a call through, or has it wait. What it gets on the way is `run.pass`. */
  takeTurn(call: CallState, run: CallRun): Step | Later
}

/** What a call holds while its executor runs. */
export interface ScheduledCall {
  /** Whether no other call of its batch ran while it did; known once it has left. */
  readonly wasAlone: boolean
  /** Gives locks back while the executor waits for a person. */
  letGo(): void
  /** Asks for them again; resolves when they are held. */
  takeBack(): Promise<void>
  /** Resolves when somebody else has taken them back. */
  whenBack(): Promise<void>
  /** Gives everything back; a second time does nothing. */
  leave(error: ToolError | undefined): void
}

/** A call's place in its batch. */
export interface CallSlot {
  readonly policyRef: string
  readonly contextModifierPolicy: ContextModifierPolicy | undefined
  /** For tools that do not say. */
  readonly interruptBehavior: InterruptBehavior | undefined
  /** The call whose failure took this one with it. */
  readonly canceledBy: string | undefined
  /** Everything before it has been handed on: its own result need not wait. */
  readonly isNext: boolean
  /** Its result is being handed on. */
  takeYield(): void
  foresee(facts: CallFacts, tool: CatalogTool): void
  leave(): void
  /** The call has its result. */
  ended(result: ToolResult): void
  /** Its caller is told. */
  handOver(result: ToolResult): void
  /** It has no result here: it was put down, or it broke. */
  break(error: unknown): void
}
