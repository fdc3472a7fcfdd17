/** The texts for each class of error: one for the model and one for the person. */
import type { ErrorCode } from './error-codes.js'
import type { ErrorClass } from './unions.js'

export interface Words {
  /** What to do next. It follows the message of the error and does not repeat it. */
  forModel: string
  /** What happened and what the person can do, without technical terms. `{tool}` stands for the tool's name. */
  forPerson: string
}

export interface ErrorWords extends Words {
  /** Used if the same call may be sent again: there is no effect to check first. */
  ifSafe?: Words
}

export const errorWords: Record<ErrorClass, ErrorWords> = {
  unknown_tool: {
    forModel: 'Use a name from your list of tools, exactly as it is written there.',
    forPerson: 'There is no tool {tool} here, so nothing was done. Check the name, or add the tool.',
  },
  blocked_tool: {
    forModel:
      'Do not call it again here: use a tool from your list, or tell the person that this one is blocked.',
    forPerson:
      '{tool} exists but is not available here, so nothing was done. The person who set this up can make it available.',
  },
  schema_not_loaded: {
    forModel: 'Do not guess its arguments.',
    forPerson:
      '{tool} was called before its description was read, so nothing was done. It can be used after its description was read.',
  },
  schema_validation_failed: {
    forModel: 'Correct the fields that the message names and call it again.',
    forPerson:
      '{tool} got details that it cannot read, so nothing was done. It can be tried again with corrected details.',
  },
  invalid_arguments: {
    forModel: 'Choose other values and call it again.',
    forPerson:
      '{tool} did not accept the values that it got, so nothing was done. It can be tried again with other values.',
  },
  sandbox_violation: {
    forModel: 'Stay inside the folders and hosts that you may use; do not look for a way around.',
    forPerson:
      '{tool} tried to reach beyond what it may use and was stopped. Keep the request inside these limits, or widen them.',
  },
  input_mutation_failed: {
    forModel: 'Your arguments are not the reason: tell the person what tried to change them.',
    forPerson:
      'Something tried to change the request to {tool} and failed or may not do that, so nothing was done. The person who set this up should check it.',
  },
  setup_required: {
    forModel: 'Tell the person what has to be set up, and call it again after that.',
    forPerson: '{tool} is not ready for use yet. Finish setting it up, then try again.',
  },
  credential_missing: {
    forModel:
      'Tell the person which access is missing; do not ask for passwords or keys in the conversation.',
    forPerson:
      '{tool} has no access: a key or a sign-in is missing or no longer valid. Add it, then try again.',
  },
  capability_gap: {
    forModel: 'Do it in another way that your tools allow, or tell the person what is missing.',
    forPerson:
      '{tool} cannot be used for this here: something that it needs is not supported. Try a simpler request or another tool.',
  },
  hook_blocked: {
    forModel: 'Do not try to reach the same by another way: follow the reason given, or tell the person.',
    forPerson:
      'A check that was set up here stopped {tool}, so nothing was done. Change the request, or ask the person who set up the check.',
  },
  hook_failed: {
    forModel: 'Nothing ran: call it once more, and tell the person if it fails again.',
    forPerson:
      'A check that must agree before {tool} may run failed, so nothing was done. Try again; if it fails again, have the check repaired.',
  },
  permission_denied: {
    forModel:
      'Do not try to reach the same by another way: tell the person what was denied and by which rule, or change the arguments.',
    forPerson:
      '{tool} was not allowed to do this, so nothing was done. If it should be allowed, change the rule that forbids it.',
  },
  policy_blocked: {
    forModel: 'Do not try to reach the same by another way: tell the person that the policy forbids it.',
    forPerson:
      'A policy forbids {tool} to do this, so nothing was done. The owner of the policy can explain or change it.',
  },
  approval_rejected: {
    forModel:
      'Do not send it again unchanged: follow the feedback, or ask the person what they want instead.',
    forPerson: '{tool} was not approved, so nothing was done. It can be requested again.',
  },
  rate_limited: {
    forModel: 'Do something else until then; sending it again at once does not help.',
    forPerson: '{tool} was used too often in a short time. It can be used again in a while.',
  },
  execution_failed: {
    forModel: 'Check what it has done before you call it again.',
    forPerson: '{tool} failed. It may have done a part of its work; check that before it is tried again.',
    ifSafe: {
      forModel:
        'It is safe to call it again; if it fails the same way, change the arguments or tell the person.',
      forPerson: '{tool} failed. It is safe to try again.',
    },
  },
  partial_failure: {
    forModel: 'Use the part that is done, find out what is missing, and do only that again.',
    forPerson: '{tool} did only a part of its work. Check what is missing before it is tried again.',
  },
  dependency_unavailable: {
    forModel: 'Check whether it took effect before you call it again; if this continues, tell the person.',
    forPerson:
      '{tool} could not reach something that it needs. Check what was done, and try again later; if this continues, have that checked.',
    ifSafe: {
      forModel: 'Call it again later; if this continues, tell the person.',
      forPerson:
        '{tool} could not reach something that it needs. Try again later; if this continues, have that checked.',
    },
  },
  timeout: {
    forModel: 'Find out whether it took effect before you call it again, with less to do or more time.',
    forPerson:
      '{tool} took too long and was abandoned. It may have done something; check that before it is tried again.',
    ifSafe: {
      forModel: 'It is safe to call it again: give it less to do, or more time.',
      forPerson: '{tool} took too long and was abandoned. Try again with less at once, or allow more time.',
    },
  },
  canceled: {
    forModel: 'Do not call it again on your own: check what it did, and ask how to continue.',
    forPerson: '{tool} was stopped before its end. What it did before that may remain.',
    ifSafe: {
      forModel: 'Do not call it again on your own; ask how to continue.',
      forPerson: '{tool} was canceled. It can be started again at any time.',
    },
  },
  sibling_canceled: {
    forModel: 'Check what it did, fix the call that failed, then send this one again if it is still needed.',
    forPerson:
      '{tool} was stopped because another step of the same work failed. What it did before that may remain.',
    ifSafe: {
      forModel: 'Fix the call that failed, then send this one again if it is still needed.',
      forPerson:
        '{tool} was canceled because another step of the same work failed. It can be tried again once that works.',
    },
  },
  streaming_fallback_discarded: {
    forModel: 'Check what it did before you call it again.',
    forPerson:
      '{tool} belonged to an answer that was discarded, and was stopped with it. What it did before that may remain.',
    ifSafe: {
      forModel: 'Call it again only if your new answer needs it.',
      forPerson:
        '{tool} belonged to an answer that was discarded, and was canceled with it. There is nothing to do.',
    },
  },
  result_mapping_failed: {
    forModel: 'Do not call it again for the output alone: check what it did in another way.',
    forPerson:
      '{tool} did its work, but its output cannot be used. Check what it did; the author of the tool can fix this.',
  },
  post_hook_failed: {
    forModel: 'Do not call it again for the result alone; tell the person.',
    forPerson: '{tool} did its work, but a check that must see the outcome failed. Have the check repaired.',
  },
  result_too_large: {
    forModel: 'Ask for less: a filter, a smaller range, one page.',
    forPerson: '{tool} returned more than can be stored or shown. Ask for a smaller part of it.',
  },
  result_redacted: {
    forModel: 'Do not try to get it in another way; continue without it.',
    forPerson:
      '{tool} did its work, but its output may not be shown. The person who made that rule can say why.',
  },
}

const NOT_RECORDED: Words = {
  forModel: 'Call it again later; if this continues, tell the person that the record cannot be stored.',
  forPerson:
    'The record of what tools do cannot be stored at the moment, so {tool} was not started. Have the storage checked.',
}

/** Used where the texts of the class say too little or are wrong, whether the call is safe to repeat or not. */
export const codeWords: Partial<Record<ErrorCode, Partial<ErrorWords>>> = {
  'toolcrib.cancel_failed': {
    forModel:
      'It may still be running: check what it does before you call it again, and ask how to continue.',
    forPerson:
      '{tool} was told to stop and did not confirm that it has. It may still be running, and what it does from now on is not recorded.',
  },
  'toolcrib.api_refused': {
    forModel: 'The API did nothing; its message says what to change before you call it again.',
    forPerson: 'The API behind {tool} refused the request and did nothing. Its message says why.',
  },
  'toolcrib.file_refused': {
    forModel: 'Nothing was changed; change the arguments as the message says.',
    forPerson: '{tool} did nothing. Its message says why.',
  },
  'toolcrib.ambiguous_name': {
    forModel: 'Choose the one that you mean.',
    forPerson: 'Several tools are called {tool}, so nothing was done. Use the full name of one of them.',
  },
  'toolcrib.tool_retired': {
    forPerson: '{tool} was removed, so nothing was done. Use another tool.',
  },
  'toolcrib.schema_unusable': {
    forModel: 'Use another tool, or tell the person that this one is broken.',
    forPerson:
      'The description of {tool} cannot be used, so nothing was done. The author of the tool can fix it.',
  },
  'toolcrib.nobody_to_ask': {
    forModel: 'Continue without it, or tell the person that this needs an approval.',
    forPerson:
      '{tool} needs an approval and nobody can give it, so nothing was done. Name a person who may approve it, or allow it by a rule.',
  },
  'toolcrib.nobody_to_ask_each_time': {
    forModel: 'Continue without it, or tell the person that this needs an approval.',
    forPerson:
      '{tool} needs an approval each time and nobody can give it. Name a person who may approve it, or change what the agent must ask about; no rule lifts this.',
  },
  'toolcrib.approval_expired': {
    forModel: 'Request it again only if it is still needed.',
    forPerson: 'Nobody approved {tool} in time, so nothing was done. It can be requested again.',
  },
  'toolcrib.approval_forged': {
    forModel: 'Tell the person; request it again only if they want that.',
    forPerson:
      'The approval for {tool} could not be trusted, so nothing was done. Find out who changed it before it is requested again.',
  },
  'toolcrib.approval_unclaimed': {
    forModel: 'It needs a new approval.',
    forPerson: '{tool} was approved, but no running program could do it. It can be requested again.',
  },
  'toolcrib.caller_lost': {
    forModel: 'Make the call again if it is still needed.',
    forPerson: 'The work that wanted {tool} ended before it was approved; nothing was done.',
  },
  'toolcrib.pending_provider': {
    forModel: 'Do something else for a moment, then make the same call again.',
    forPerson: '{tool} is still being connected; nothing was done yet.',
  },
  'toolcrib.tool_gone': {
    forModel: 'Use another tool, or tell the person.',
    forPerson: '{tool} was approved, but has been removed since, so nothing was done.',
  },
  'toolcrib.seal_key_unusable': {
    forModel: 'Tell the person; nothing can be approved before that is fixed.',
    forPerson:
      'The key that protects waiting requests cannot be used, so {tool} was not started. Have the key repaired, then try again.',
  },
  'toolcrib.budget_spent': {
    forModel: 'Do not call it again in this run.',
    forPerson:
      '{tool} reached its limit for one run, so nothing was done. Begin a new session or raise the limit.',
  },
  'toolcrib.result_withheld': {
    forModel:
      'It has run: do not call it again for the result, and do not try to get the result in another way.',
    forPerson:
      '{tool} did its work, but a check that was set up here withholds its result. Ask the person who set up the check.',
  },
  'toolcrib.exit_code': {
    forModel: 'Read its output, and check what it has done before you run it again.',
    ifSafe: {
      forModel: 'Read its output; it is safe to run it again, but the same command will probably fail again.',
      forPerson: '{tool} failed. It is safe to try again.',
    },
  },
  'toolcrib.owner_lost': {
    forModel: 'If it happens again, tell the person.',
    ifSafe: {
      forModel: 'If it happens again, tell the person.',
      forPerson: 'The program that ran {tool} ended too early. It is safe to try again.',
    },
    forPerson:
      'The program that ran {tool} ended too early. A part of the work may be done; check that before it is tried again.',
  },
  'toolcrib.owner_changed': {
    forModel: 'Check how it ended there before you call it again.',
    forPerson: 'Another program took over {tool}, so it was not started here. Check how it ended there.',
  },
  'toolcrib.internal': {
    forModel: 'Tell the person; this is a fault of the runtime and not of your arguments.',
    forPerson:
      'An internal fault stopped {tool}. Check what was done, and report the fault to the person who runs this.',
  },
  'toolcrib.store_not_a_database': NOT_RECORDED,
  'toolcrib.store_foreign': NOT_RECORDED,
  'toolcrib.store_newer': NOT_RECORDED,
  'toolcrib.store_full': NOT_RECORDED,
  'toolcrib.store_read_only': NOT_RECORDED,
  'toolcrib.store_unreachable': NOT_RECORDED,
  'toolcrib.store_failed': NOT_RECORDED,
  'toolcrib.store_closed': NOT_RECORDED,
}
