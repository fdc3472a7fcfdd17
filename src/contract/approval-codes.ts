/** What may be wrong around an approval: our own codes, each inside a class of the standard. */
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
  'toolcrib.approval_rejected': {
    errorClass: 'approval_rejected',
    meaning: 'Whoever was asked said no.',
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
    meaning: 'An approval is answered once, and somebody else was first.',
  },
  'toolcrib.approval_input_changed': {
    errorClass: 'approval_rejected',
    meaning: 'The answer is about another input than the one that waits.',
  },
  'toolcrib.approval_other_invocation': {
    errorClass: 'approval_rejected',
    meaning: 'The answer is about another call than the one that waits.',
  },
  'toolcrib.approval_withdrawn': {
    errorClass: 'approval_rejected',
    meaning: 'The call ended or was asked about anew; this question is no longer open.',
  },
  'toolcrib.asker_cannot_answer': {
    errorClass: 'permission_denied',
    meaning: 'Whoever made the call, and every agent below it, cannot approve it.',
  },
  'toolcrib.not_a_reviewer': {
    errorClass: 'permission_denied',
    meaning: 'The answer names nobody who is set up as a reviewer.',
  },
  'toolcrib.answer_inside_call': {
    errorClass: 'permission_denied',
    meaning: 'Code that runs inside a tool call cannot approve calls.',
  },
  'toolcrib.approval_not_editable': {
    errorClass: 'input_mutation_failed',
    meaning: 'The answer puts in another input, and the tool does not let a reviewer do that.',
  },
  'toolcrib.mask_in_input': {
    errorClass: 'input_mutation_failed',
    meaning: 'An edited input holds a mask, and it cannot be told which secret that stands for.',
  },
  'toolcrib.update_not_offered': {
    errorClass: 'invalid_arguments',
    meaning: 'The answer accepts a change of rules that was not suggested with the question.',
  },
  'toolcrib.update_not_accepted': {
    errorClass: 'capability_gap',
    meaning: 'The change of rules could not be made, so the answer was not taken.',
  },
  'toolcrib.approval_unclaimed': {
    errorClass: 'dependency_unavailable',
    meaning: 'The call was approved, but until it expired no process had the tool to run it.',
  },
  'toolcrib.approval_other_key': {
    errorClass: 'setup_required',
    meaning: 'The approval was sealed with another key than this process holds.',
  },
  'toolcrib.seal_key_unusable': {
    errorClass: 'setup_required',
    meaning: 'The key that seals waiting calls cannot be read or made.',
  },
} as const satisfies Record<string, CodeRow>

export type ApprovalCode = keyof typeof approvalCodes
