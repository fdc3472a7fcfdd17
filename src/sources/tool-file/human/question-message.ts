import type { AnnounceContext, PersonQuestion } from '../../../catalog/answered-by.js'
import type { CallerView, ExecuteContext } from '../../../catalog/execute-context.js'
import { isObject } from '../../../platform/json/is-object.js'

/**
 * What is sent: the fields of the input, as for every other tool, so that paths of addresses and Avro schemas can use
 * them; and `question` with all that is needed to ask a person and to send the answer back.
 */
export function questionMessage(question: PersonQuestion): Record<string, unknown> {
  const { input, queue } = question
  return {
    ...(isObject(input) ? input : {}),
    question: {
      approval_id: question.approvalId,
      invocation_id: question.invocationId,
      tool_id: question.toolId,
      title: question.title,
      description: question.description,
      ...(queue !== undefined && { queue }),
      input,
      form: question.form,
      created_at: question.createdAt,
      expires_at: question.expiresAt,
      reminder: question.reminder,
    },
  }
}

const NO_CALLER: CallerView = {
  explain: () => undefined,
  async *artifacts() {},
  content: async () => {
    throw new Error('A question to a person reads no results.')
  },
}

/** The sending of a question as a transport sees it: nobody waits for what is returned. */
export function sendingContext(question: PersonQuestion, context: AnnounceContext): ExecuteContext {
  const { signal, tenant, attempt, idempotencyKey } = context
  return {
    invocationId: question.invocationId,
    toolId: question.toolId,
    nativeCallId: undefined,
    surfaceId: '',
    actor: undefined,
    session: undefined,
    tenant,
    workspace: process.cwd(),
    client: undefined,
    facts: { is_read_only: false, is_open_world: true },
    inBackground: true,
    attempt,
    idempotencyKey,
    signal,
    stopSignal: signal,
    progress() {},
    recordEnvironment() {},
    recordViolation() {},
    hide() {},
    requestInput: async () => ({ action: 'cancel' }),
    callTool: async () => {
      throw new Error('A question to a person calls no tool.')
    },
    caller: NO_CALLER,
    judgedPath: () => undefined,
    mayTouch: () => false,
    resultLimits: () => ({ maxChars: Infinity }),
  }
}
