/** What is said about each class of error: to the model, which has to go on, and to the person, who wants to know. */
import type { ErrorCode } from './error-codes.js'
import type { ErrorClass } from './unions.js'

export interface Words {
  /** What to do next. Stands after the message of the error and does not repeat it. */
  forModel: string
  /** What happened and what they can do, without terms of the trade. `{tool}` stands for the tool's name. */
  forPerson: string
}

export interface ErrorWords extends Words {
  /** Where the same call may be sent again: there is nothing to look at first. */
  ifSafe?: Words
}

export const errorWords: Record<ErrorClass, ErrorWords> = {
  unknown_tool: {
    forModel: 'Use a name from your list of tools, exactly as it stands there.',
    forPerson: 'There is no tool {tool} here, so nothing was done. Check the name, or add the tool.',
  },
  blocked_tool: {
    forModel:
      'Do not call it again here: use a tool from your list, or tell the person that this one is held back.',
    forPerson:
      '{tool} exists but is not handed out here, so nothing was done. Whoever set this up can make it available.',
  },
  schema_not_loaded: {
    forModel: 'Do not guess its arguments.',
    forPerson:
      '{tool} was called before its description had been read, so nothing was done. It can be used once it has been looked up.',
  },
  schema_validation_failed: {
    forModel: 'Correct what is named and call it again.',
    forPerson:
      '{tool} was given details that it cannot read, so nothing was done. It can be tried again with corrected ones.',
  },
  invalid_arguments: {
    forModel: 'Choose other values and call it again.',
    forPerson:
      '{tool} did not accept the values that it was given, so nothing was done. It can be tried again with others.',
  },
  sandbox_violation: {
    forModel: 'Stay inside the place that was given to you; do not look for a way around.',
    forPerson:
      '{tool} was about to reach outside the place it is kept in and was stopped. Keep the request inside, or widen that place.',
  },
  input_mutation_failed: {
    forModel: 'Your arguments are not the reason: tell the person what tried to change them.',
    forPerson:
      'Something tried to change what {tool} was asked to do and may not or could not, so nothing was done. Whoever set this up should look at it.',
  },
  setup_required: {
    forModel: 'Tell the person what has to be set up, and call it again after that.',
    forPerson: '{tool} is not ready for use yet. Finish setting it up, then try again.',
  },
  credential_missing: {
    forModel:
      'Tell the person which access is missing; do not ask for passwords or keys in the conversation.',
    forPerson:
      '{tool} has no access: a key or a sign-in is missing or no longer good. Add it, then try again.',
  },
  capability_gap: {
    forModel: 'Do it in another way that your tools allow, or tell the person what is missing.',
    forPerson:
      '{tool} cannot be used for this here: something that it needs is not supported. Try a simpler request or another tool.',
  },
  hook_blocked: {
    forModel: 'Do not try to reach the same by another way: follow the reason given, or tell the person.',
    forPerson:
      'A check that was set up here stopped {tool}, so nothing was done. Change what is asked for, or ask whoever set up the check.',
  },
  hook_failed: {
    forModel: 'Nothing ran: call it once more, and tell the person if it fails again.',
    forPerson:
      'A check that has to agree before {tool} may run did not work, so nothing was done. Try again; if it goes on, have the check repaired.',
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
      'A policy forbids {tool} to do this, so nothing was done. Whoever keeps the policy can say why, or change it.',
  },
  approval_rejected: {
    forModel: 'Do not send it again unchanged: do what was said, or ask the person what they want instead.',
    forPerson: '{tool} was not approved, so nothing was done. It can be asked for again.',
  },
  rate_limited: {
    forModel: 'Do something else until then; sending it again at once does not help.',
    forPerson: '{tool} was used too often in a short time. It can be used again in a while.',
  },
  execution_failed: {
    forModel: 'Check what it has done before you call it again.',
    forPerson:
      '{tool} failed at its work. A part may have been done all the same; check that before it is tried again.',
    ifSafe: {
      forModel:
        'Calling it again does no harm; if it fails the same way, change the arguments or tell the person.',
      forPerson: '{tool} failed at its work. It can be tried again without harm.',
    },
  },
  partial_failure: {
    forModel: 'Use what is there, find out what is missing, and do only that again.',
    forPerson: '{tool} did only a part of its work. Look at what is missing before it is tried again.',
  },
  dependency_unavailable: {
    forModel: 'Check whether it took effect before you call it again; if this goes on, tell the person.',
    forPerson:
      '{tool} could not reach something that it needs. Check what was done, and try again later; if it goes on, have that looked at.',
    ifSafe: {
      forModel: 'Call it again later; if this goes on, tell the person.',
      forPerson:
        '{tool} could not reach something that it needs. Try again later; if it goes on, have that looked at.',
    },
  },
  timeout: {
    forModel: 'Find out whether it took effect before you call it again, with less to do or more time.',
    forPerson:
      '{tool} took too long and was given up. It may have done something all the same; check that before it is tried again.',
    ifSafe: {
      forModel: 'Calling it again does no harm: give it less to do, or more time.',
      forPerson: '{tool} took too long and was given up. Try again with less at once, or allow more time.',
    },
  },
  canceled: {
    forModel: 'Do not call it again of your own accord: check what it did, and ask how to go on.',
    forPerson: '{tool} was stopped before its end. What it had done by then may remain.',
    ifSafe: {
      forModel: 'Do not call it again of your own accord; ask how to go on.',
      forPerson: '{tool} was canceled. It can be started again at any time.',
    },
  },
  sibling_canceled: {
    forModel: 'Check what it did, mend the call that failed, then send this one again if it is still needed.',
    forPerson:
      '{tool} was stopped because another step of the same work failed. What it had done by then may remain.',
    ifSafe: {
      forModel: 'Mend the call that failed, then send this one again if it is still needed.',
      forPerson:
        '{tool} was canceled because another step of the same work failed. It can be tried again once that works.',
    },
  },
  streaming_fallback_discarded: {
    forModel: 'Check what it did before you call it again.',
    forPerson:
      '{tool} belonged to an answer that was thrown away, and was stopped with it. What it had done by then may remain.',
    ifSafe: {
      forModel: 'Call it again only if your new answer needs it.',
      forPerson:
        '{tool} belonged to an answer that was thrown away, and was canceled with it. There is nothing to do.',
    },
  },
  result_mapping_failed: {
    forModel: 'Do not call it again for the output alone: check what it did in another way.',
    forPerson:
      '{tool} did its work, but what it gave back cannot be used. Check what came of it; whoever made the tool can mend it.',
  },
  post_hook_failed: {
    forModel: 'Do not call it again for the result alone; tell the person.',
    forPerson:
      '{tool} did its work, but a check that has to see the outcome did not work. Have the check repaired.',
  },
  result_too_large: {
    forModel: 'Ask for less: a filter, a smaller range, one page.',
    forPerson: '{tool} gave back more than can be kept or shown. Ask for a smaller part of it.',
  },
  result_redacted: {
    forModel: 'Do not try to get it by another way; go on without it.',
    forPerson:
      '{tool} did its work, but nothing of what it gave back may be shown. Whoever made that rule can say why.',
  },
}

const UNKEPT: Words = {
  forModel: 'Call it again later; if this goes on, tell the person that the record cannot be kept.',
  forPerson:
    'The record of what tools do cannot be kept at the moment, so {tool} was not started. Have the place where it is kept looked at.',
}

/** Where the words of the class would say too little, or something that is not so. They hold whether it is safe or not. */
export const codeWords: Partial<Record<ErrorCode, Partial<ErrorWords>>> = {
  'toolcrib.cancel_failed': {
    forModel: 'It may still be running: check what it does before you call it again, and ask how to go on.',
    forPerson:
      '{tool} was told to stop and did not confirm that it has. It may still be running, and what it does from now on is not recorded.',
  },
  'toolcrib.ambiguous_name': {
    forModel: 'Pick the one that is meant.',
    forPerson:
      'Several tools are called {tool}, so nothing was done. Say which one is meant by its full name.',
  },
  'toolcrib.tool_retired': {
    forPerson: '{tool} was taken out of use, so nothing was done. Use another tool.',
  },
  'toolcrib.schema_unusable': {
    forModel: 'Use another tool, or tell the person that this one is broken.',
    forPerson:
      '{tool} is described in a way that cannot be used, so nothing was done. Whoever made the tool can mend it.',
  },
  'toolcrib.nobody_to_ask': {
    forModel: 'Go on without it, or tell the person that this needs an approval.',
    forPerson:
      '{tool} needs an approval and there was nobody to ask, so nothing was done. Name somebody who may approve it, or allow it by a rule.',
  },
  'toolcrib.approval_expired': {
    forModel: 'Ask for it again only if it is still needed.',
    forPerson: 'Nobody approved {tool} in time, so nothing was done. It can be asked for again.',
  },
  'toolcrib.approval_forged': {
    forModel: 'Tell the person; ask for it again only if they want that.',
    forPerson:
      'The approval for {tool} could not be trusted, so nothing was done. Find out who changed it before it is asked for again.',
  },
  'toolcrib.approval_unclaimed': {
    forModel: 'Somebody has to approve it once more.',
    forPerson: '{tool} was approved, but nothing was running that could do it. It can be asked for again.',
  },
  'toolcrib.pending_provider': {
    forModel: 'Do something else for a moment, then make the same call again.',
    forPerson: '{tool} is still being connected; nothing was done yet.',
  },
  'toolcrib.tool_gone': {
    forModel: 'Use another tool, or tell the person.',
    forPerson: '{tool} was approved, but has been taken away since, so nothing was done.',
  },
  'toolcrib.seal_key_unusable': {
    forModel: 'Tell the person; nothing can be asked before that is mended.',
    forPerson:
      'The key that protects waiting requests cannot be used, so {tool} was not started. Have the key mended, then try again.',
  },
  'toolcrib.budget_spent': {
    forModel: 'Do not call it again in this run.',
    forPerson:
      '{tool} was used as often as it may be in one run, so nothing was done. Begin a new session or raise the limit.',
  },
  'toolcrib.result_withheld': {
    forModel: 'It has run: do not call it again for the result, nor try to get that by another way.',
    forPerson:
      '{tool} did its work, but a check that was set up here holds its result back. Ask whoever set up the check.',
  },
  'toolcrib.exit_code': {
    forModel: 'Read what it said, and check what it has done before you run it again.',
    ifSafe: {
      forModel:
        'Read what it said; running it again does no harm, but the same command will hardly do better.',
      forPerson: '{tool} failed at its work. It can be tried again without harm.',
    },
  },
  'toolcrib.owner_lost': {
    forModel: 'If it happens again, tell the person.',
    ifSafe: {
      forModel: 'If it happens again, tell the person.',
      forPerson: 'The program that ran {tool} ended too early. It can be tried again without harm.',
    },
    forPerson:
      'The program that ran {tool} ended too early. A part may have been done all the same; check that before it is tried again.',
  },
  'toolcrib.owner_changed': {
    forModel: 'Look at how it ended there before you call it again.',
    forPerson: 'Another program took over {tool}, so it was not started here. Look at how it ended there.',
  },
  'toolcrib.internal': {
    forModel: 'Tell the person; this is a fault of the runtime and not of your arguments.',
    forPerson:
      'Something broke around {tool} that should not break. Check what was done, and report it to whoever runs this.',
  },
  'toolcrib.store_not_a_database': UNKEPT,
  'toolcrib.store_foreign': UNKEPT,
  'toolcrib.store_newer': UNKEPT,
  'toolcrib.store_full': UNKEPT,
  'toolcrib.store_read_only': UNKEPT,
  'toolcrib.store_unreachable': UNKEPT,
  'toolcrib.store_failed': UNKEPT,
  'toolcrib.store_closed': UNKEPT,
}
