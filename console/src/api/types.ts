import type { ToolDeclaration } from '../../../src/contract/objects/tool-declaration.js'
import type { ToolEvent } from '../../../src/contract/objects/tool-event.js'
import type { ToolHook } from '../../../src/contract/objects/tool-hook.js'
import type { ToolInputMutation } from '../../../src/contract/objects/tool-input-mutation.js'
import type { ToolInvocation } from '../../../src/contract/objects/tool-invocation.js'
import type { ToolPermissionDecision } from '../../../src/contract/objects/tool-permission-decision.js'
import type { ToolProgress } from '../../../src/contract/objects/tool-progress.js'
import type { ContentBlock, PayloadRef, ToolResult } from '../../../src/contract/objects/tool-result.js'
import type { ToolResultPersistence } from '../../../src/contract/objects/tool-result-persistence.js'
import type { ToolSurface } from '../../../src/contract/objects/tool-surface.js'
import type { ToolcribApproval } from '../../../src/contract/objects/toolcrib-approval.js'
import type { ApprovalScope, InvocationStatus, ResultStatus } from '../../../src/contract/unions.js'
import type { FieldError, LoginChoices } from './problem.js'
import type { ExplainedCall } from './policy.js'

// What the HTTP API sends and takes. The records of the standard are imported from the contract.
export type { ToolDeclaration, ToolEvent, ToolInvocation, ToolPermissionDecision, ToolProgress }
export type { ContentBlock, PayloadRef, ToolHook, ToolInputMutation, ToolResultPersistence }
export type { ToolResult, ToolSurface, ToolcribApproval, ApprovalScope, InvocationStatus, ResultStatus }

export type Role = 'caller' | 'reviewer' | 'operator' | 'auditor'
export type JsonObject = Readonly<Record<string, unknown>>

export interface List<T> {
  readonly items: readonly T[]
  readonly next_cursor?: string
}

export interface Session {
  readonly actor: string
  readonly person?: string
  readonly tenant: string
  readonly roles: readonly Role[]
  readonly surface?: string
  readonly csrf_token?: string
  readonly expires_at?: string
  readonly version: string
  readonly server: { readonly started_at: string; readonly url: string }
  readonly login: LoginChoices
}

export type FactName =
  'is_read_only' | 'is_destructive' | 'is_open_world' | 'is_concurrency_safe' | 'requires_user_interaction'
export type Facts = Readonly<Record<FactName, boolean | 'depends'>> & {
  readonly origins: Readonly<Record<string, 'declared' | 'inferred' | 'default'>>
}

export interface ToolSummary {
  readonly tool_id: string
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly kind: string
  readonly source: string
  readonly fingerprint: string
  readonly lifecycle: string
  readonly state: 'ready' | 'blocked' | 'needs_setup' | 'disabled' | 'connecting'
  readonly problem?: string
  readonly facts: Facts
  readonly tokens?: number
  readonly calls?: number
}

export interface ToolDetail extends ToolSummary {
  readonly declaration: ToolDeclaration
  readonly input_schema: JsonObject
  readonly output_schema?: JsonObject
  readonly names: readonly string[]
  readonly examples: readonly unknown[]
  readonly permission?: JsonObject
  readonly execution?: JsonObject
  readonly lint: readonly { readonly code?: string; readonly message: string }[]
  readonly change?: { readonly lines: readonly string[]; readonly digest: string }
  readonly versions: readonly ToolVersion[]
}

export interface ToolVersion {
  readonly fingerprint: string
  readonly first_seen_at?: string
  readonly last_seen_at?: string
  readonly is_current: boolean
  readonly diff?: { readonly lines: readonly string[] }
}

export interface FoundTool {
  readonly tool_id: string
  readonly name: string
  readonly description: string
  readonly score?: number
  readonly reason?: string
  readonly tokens?: number
}

export interface CallUnderWay {
  readonly invocation_id: string
  readonly status: InvocationStatus
  readonly approval_id?: string
}

export interface InvocationSummary {
  readonly invocation_id: string
  readonly tool_id: string
  /** The qualified name of the tool, for people. */
  readonly tool_name: string
  readonly requested_name?: string
  readonly actor?: string
  readonly session?: string
  readonly surface_id?: string
  readonly status: InvocationStatus
  readonly result_status?: ResultStatus
  readonly error_class?: string
  readonly created_at: string
  readonly started_at?: string
  readonly ended_at?: string
  readonly duration_ms?: number
  readonly parent_invocation_id?: string
  readonly batch_id?: string
  readonly approval_id?: string
  readonly progress?: { readonly percent?: number; readonly message?: string }
}

/** A type and not an interface: a query needs an index signature, which interfaces do not have. */
export type InvocationQuery = {
  readonly tool?: string
  readonly status?: string
  readonly result_status?: string
  readonly actor?: string
  readonly session?: string
  readonly surface?: string
  readonly since?: string
  readonly until?: string
  readonly order?: 'newest' | 'oldest'
  readonly cursor?: string
  readonly limit?: number
}

export interface CallStory {
  readonly tool_name: string
  readonly invocation: ToolInvocation
  readonly result?: ToolResult
  readonly decisions: readonly ToolPermissionDecision[]
  readonly mutations: readonly ToolInputMutation[]
  readonly hooks: readonly ToolHook[]
  /** The last 200. */
  readonly progress: readonly ToolProgress[]
  readonly outline: readonly OutlinedEvent[]
  readonly persistence?: ToolResultPersistence
  readonly partials_count: number
  readonly inputs: readonly unknown[]
  readonly diffs: readonly { readonly from: number; readonly to: number; readonly lines: readonly string[] }[]
  readonly approvals: readonly ToolcribApproval[]
  readonly explained?: ExplainedCall
  readonly parent?: InvocationSummary
  readonly children: readonly InvocationSummary[]
  readonly batch?: { readonly batch_id: string; readonly members: readonly InvocationSummary[] }
  readonly event_count: number
  readonly trace_refs: readonly JsonObject[]
}

/** A lock that a call holds or waits for; with a width it is one of that many slots of a limit. */
export interface ListedLock {
  readonly key: string
  readonly mode?: 'shared' | 'exclusive'
  readonly width?: number
  readonly invocation_id: string
  readonly state: 'held' | 'waiting'
  readonly since: string
}

/** One event of a call, or a run of progress with its count. What is missing in its data is in the records of the story. */
export interface OutlinedEvent {
  readonly sequence: number
  readonly event_type: ToolEvent['event_type']
  readonly time: string
  readonly count?: number
  readonly data?: JsonObject
}

export type Risk = 'high' | 'medium' | 'low'

export interface AlwaysChoice {
  readonly scope: ApprovalScope
  /** The number of the suggested change of rules. */
  readonly update: number
  readonly sentence: string
}

export interface ApprovalItem {
  readonly approval: ToolcribApproval
  readonly model_input?: unknown
  /** From the model's input to what would run; empty where they are equal. */
  readonly input_diff?: readonly string[]
  readonly risk: Risk
  readonly tool_name: string
  readonly tool_title?: string
  readonly input_schema?: JsonObject
  readonly always: readonly AlwaysChoice[]
  readonly may_answer: boolean
  readonly why_not?: string
}

export interface ApprovalCheck {
  readonly valid: boolean
  readonly errors: readonly FieldError[]
  readonly decision?: { readonly behavior: string; readonly message: string }
}

export interface ApprovalAnswer {
  readonly approved: boolean
  readonly feedback?: string
  readonly scope?: ApprovalScope
  readonly update?: number
  readonly input?: unknown
  readonly content?: unknown
  readonly input_digest?: string
}
