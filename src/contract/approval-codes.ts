/** The error codes of approvals, each inside a class of the standard. */
import type { ErrorClass } from './unions.js'

export interface CodeRow {
  errorClass: ErrorClass
  meaning: string
}

export const approvalCodes = {
  'toolcrib.nobody_to_ask': {
    errorClass: 'approval_rejected',
    meaning: 'The call needs approval and there is neither an approver nor a reviewer.',
  },
  'toolcrib.nobody_to_ask_each_time': {
    errorClass: 'approval_rejected',
    meaning:
      'An agent file or a surface requires approval of each call, and there is neither an approver nor a reviewer.',
  },
  'toolcrib.approval_rejected': {
    errorClass: 'approval_rejected',
    meaning: 'The approver or reviewer denied the call.',
  },
  'toolcrib.approval_expired': {
    errorClass: 'approval_rejected',
    meaning: 'Nobody answered in time, or the answer came too late.',
  },
  'toolcrib.approval_forged': {
    errorClass: 'approval_rejected',
    meaning: 'There is no such approval, or it was not written by a process that holds the seal key.',
  },
  'toolcrib.approval_already_answered': {
    errorClass: 'approval_rejected',
    meaning: 'An approval is answered once, and another answer was first.',
  },
  'toolcrib.approval_input_changed': {
    errorClass: 'approval_rejected',
    meaning: 'The answer is about another input than that of the pending call.',
  },
  'toolcrib.approval_other_invocation': {
    errorClass: 'approval_rejected',
    meaning: 'The answer is about another call than the pending one.',
  },
  'toolcrib.approval_withdrawn': {
    errorClass: 'approval_rejected',
    meaning: 'The call ended or has a new question; this question is no longer open.',
  },
  'toolcrib.asker_cannot_answer': {
    errorClass: 'permission_denied',
    meaning:
      'The actor that made the call, every agent below it, and whoever made its token cannot approve it.',
  },
  'toolcrib.not_a_reviewer': {
    errorClass: 'permission_denied',
    meaning: 'The answer names no configured reviewer.',
  },
  'toolcrib.answer_inside_call': {
    errorClass: 'permission_denied',
    meaning: 'Code that runs inside a tool call cannot approve calls.',
  },
  'toolcrib.approval_not_editable': {
    errorClass: 'input_mutation_failed',
    meaning: 'The answer replaces the input, and the tool does not allow a reviewer to do that.',
  },
  'toolcrib.mask_in_input': {
    errorClass: 'input_mutation_failed',
    meaning: 'An edited input contains a mask, and the secret that it stands for is unknown.',
  },
  'toolcrib.update_not_offered': {
    errorClass: 'invalid_arguments',
    meaning: 'The answer accepts a change of rules that was not suggested with the question.',
  },
  'toolcrib.update_not_accepted': {
    errorClass: 'capability_gap',
    meaning: 'The change of rules failed, so the answer was not accepted.',
  },
  'toolcrib.answer_invalid': {
    errorClass: 'approval_rejected',
    meaning: 'The content of the answer does not fit the form of the question; the question stays open.',
  },
  'toolcrib.approval_unclaimed': {
    errorClass: 'dependency_unavailable',
    meaning: 'The call was approved, but until it expired no process had the tool to run it.',
  },
  'toolcrib.caller_lost': {
    errorClass: 'dependency_unavailable',
    meaning: 'The call was made by another call, which ended with its process before the approval was given.',
  },
  'toolcrib.approval_other_key': {
    errorClass: 'setup_required',
    meaning: 'The approval was sealed with another key than this process holds.',
  },
  'toolcrib.seal_key_unusable': {
    errorClass: 'setup_required',
    meaning: 'The key that encrypts pending calls cannot be read or created.',
  },
} as const satisfies Record<string, CodeRow>

export type ApprovalCode = keyof typeof approvalCodes
