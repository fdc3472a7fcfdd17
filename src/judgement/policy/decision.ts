import type { ToolPermissionDecision } from '../../foundation/contract/objects/tool-permission-decision.js'
import type { PermissionBehavior } from '../../foundation/contract/unions.js'

/** What a judge may know of a call. Pure data: the same request gives the same answer. */
export interface PermissionRequest {
  readonly invocationId: string
  readonly toolId: string
  readonly namespace: string
  readonly name: string
  readonly kind: string
  readonly source: string
  readonly fingerprint: string
  /** What is judged, and what will run: the very same input. */
  readonly input: unknown
  readonly facts: JudgedFacts
  readonly permission: Readonly<Record<string, unknown>>
  readonly mode: string
  readonly surfaceId: string
  readonly actor: string | undefined
  readonly session: string | undefined
  readonly tenant: string
  readonly role: string | undefined
}

export interface JudgedFacts {
  readonly is_read_only: boolean
  readonly is_destructive: boolean
  readonly is_open_world: boolean
  readonly is_concurrency_safe: boolean
  readonly requires_user_interaction: boolean
  readonly origins: Readonly<Record<string, string>>
}

/** A judge's answer; the record's ids and times are added by the pipeline. */
export type Verdict = {
  behavior: PermissionBehavior
  /** An ask that nobody's rule made: a hook's allow may fill it. */
  isDefault?: boolean
  updatedInput?: unknown
} & Partial<
  Pick<
    ToolPermissionDecision,
    'source' | 'reason' | 'rule_refs' | 'policy_refs' | 'suggested_updates' | 'blocked_path' | 'expires_at'
  >
>

export type Decider = (request: PermissionRequest) => Verdict | Promise<Verdict>

export interface ApprovalRequest extends PermissionRequest {
  readonly title: string
  readonly description: string
  /** Why the call is asked about. */
  readonly message: string
  readonly signal: AbortSignal
}

export type ApprovalAnswer =
  | { approved: true; feedback?: string; updatedInput?: unknown; by?: string }
  | { approved: false; feedback?: string; by?: string }

/** Someone who can be asked: a person at a terminal, a coordinator, another program. */
export type Approver = (request: ApprovalRequest) => ApprovalAnswer | Promise<ApprovalAnswer>
