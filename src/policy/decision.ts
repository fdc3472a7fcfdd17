import type { ToolPermissionDecision } from '../contract/objects/tool-permission-decision.js'
import type { ApprovalScope, PermissionBehavior } from '../contract/unions.js'
import type { ClassifierRecord } from './deciders/classifier-record.js'
import type { RuleTool } from './rules/rule-tool.js'
import type { Touched } from './commands/touched.js'

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
  /** The input with sensitive fields masked, for whoever is outside. */
  readonly shownInput: unknown
  /** The part of the input that the tool shows to classifiers. */
  readonly classifierText: string
  /** Aborted when the call is canceled. */
  readonly signal: AbortSignal
  readonly facts: JudgedFacts
  readonly permission: Readonly<Record<string, unknown>>
  /** The tool as rules see it. */
  readonly tool: RuleTool
  /** What the input names that rules speak of; absent where the tool takes no paths, URLs or commands. */
  readonly touched: Touched | undefined
  /** Where the caller works. */
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

/** A judge's answer; the record's ids and times are added by the pipeline. */
export type Verdict = {
  behavior: PermissionBehavior
  /** Short for a `reason` in these words. */
  message?: string
  /** An ask that nobody's rule made: a hook's allow may fill it. */
  isDefault?: boolean
  /** A protected place or a tool that needs a person: nobody's allow stands against it. */
  isProtected?: boolean
  /** What was said on the way to this: a passthrough that somebody else then filled. */
  earlier?: readonly Verdict[]
  /** What each classifier said, where the standard's fields have room for the one that mattered. */
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
  /** Why the call is asked about. */
  readonly message: string
  /** The question as a record that others may answer too. */
  readonly approvalId: string
  /** ISO 8601. */
  readonly expiresAt: string
  /** Changes of rules that the answer may accept. */
  readonly suggestedUpdates: readonly Readonly<Record<string, unknown>>[]
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
    }
  | { approved: false; feedback?: string | undefined; by?: string }

/** Someone who can be asked: a person at a terminal, a coordinator, another program. */
export type Approver = (request: ApprovalRequest) => ApprovalAnswer | Promise<ApprovalAnswer>
