import type { JsonSchema } from '../contract/json-schema.js'
import type { ToolPermissionDecision } from '../contract/objects/tool-permission-decision.js'
import type { ApprovalScope, PermissionBehavior } from '../contract/unions.js'
import type { ClassifierRecord } from './deciders/classifier-record.js'
import type { RuleTool } from './rules/rule-tool.js'
import type { Touched } from './commands/touched.js'

/** What a decider may know of a call. Pure data: the same request gives the same answer. */
export interface PermissionRequest {
  readonly invocationId: string
  readonly toolId: string
  readonly namespace: string
  readonly name: string
  readonly kind: string
  readonly source: string
  readonly fingerprint: string
  /** The judged input is exactly the input that will run. */
  readonly input: unknown
  /** The input with sensitive fields masked, for outside engines and classifiers. */
  readonly shownInput: unknown
  /** The part of the input that the tool shows to classifiers. */
  readonly classifierText: string
  /** Aborted when the call is canceled. */
  readonly signal: AbortSignal
  readonly facts: JudgedFacts
  readonly permission: Readonly<Record<string, unknown>>
  /** The tool as rules see it. */
  readonly tool: RuleTool
  /** What the input names that rules are about; absent if the tool takes no paths, URLs or commands. */
  readonly touched: Touched | undefined
  /** The caller's working folder. */
  readonly workspace: string
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

/** A decider's answer; the pipeline adds the record's ids and times. */
export type Verdict = {
  behavior: PermissionBehavior
  /** Short for a `reason` with this message. */
  message?: string
  /** An ask that no rule made: a hook's allow may fill it. */
  isDefault?: boolean
  /** A protected path or a tool that needs a person: no allow lifts it. */
  isProtected?: boolean
  /** What was decided before this: a passthrough that was then filled. */
  earlier?: readonly Verdict[]
  /** What each classifier answered; the standard's fields hold only the one that mattered. */
  toolcrib?: { readonly classifiers?: readonly ClassifierRecord[] }
} & Partial<
  Pick<
    ToolPermissionDecision,
    | 'source'
    | 'reason'
    | 'rule_refs'
    | 'policy_refs'
    | 'updated_input'
    | 'content_blocks'
    | 'suggested_updates'
    | 'blocked_path'
    | 'user_modified'
    | 'accept_feedback'
    | 'expires_at'
    | 'classifier_ref'
    | 'confidence'
    | 'classifier_reason'
    | 'pending_classifier_check'
  >
>

export type Decider = (request: PermissionRequest) => Verdict | Promise<Verdict>

export interface ApprovalRequest extends PermissionRequest {
  readonly title: string
  readonly description: string
  /** Why the call needs approval. */
  readonly message: string
  /** The approval as a record that others may answer too. */
  readonly approvalId: string
  /** ISO 8601. */
  readonly expiresAt: string
  /** Changes of rules that the answer may accept. */
  readonly suggestedUpdates: readonly Readonly<Record<string, unknown>>[]
  /** The schema of the content that an answer must have. Absent: the answer is yes or no. */
  readonly form?: JsonSchema | undefined
  readonly queue?: string | undefined
  /** Only these may answer. */
  readonly assignedTo?: readonly string[] | undefined
  /** Why the last answer of this approver did not count. */
  readonly problem?: string | undefined
}

export type ApprovalAnswer =
  | {
      approved: true
      feedback?: string
      updatedInput?: unknown
      by?: string
      /** Beyond `once`, one of the suggested updates is accepted: the first, unless another is named. */
      scope?: ApprovalScope
      update?: Readonly<Record<string, unknown>>
      /** For a question with a form: the result of the call. */
      content?: unknown
    }
  | { approved: false; feedback?: string | undefined; by?: string }

/** Something that can answer approvals: a person at a terminal, a coordinator, another program. */
export type Approver = (request: ApprovalRequest) => ApprovalAnswer | Promise<ApprovalAnswer>
