import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import type { ApprovalAnswer, ApprovalRequest } from '../../../policy/decision.js'
import type { McpClient } from '../../../sources/mcp/protocol/mcp-client.js'
import { oneLine, printableJson } from '../../../platform/text/printable.js'
import { cutText } from '../cut-text.js'
import type { FormPerson } from '../gateway-options.js'

const MAX_INPUT_CHARS = 2000
const MAX_TITLE_CHARS = 100
const MAX_WORDS_CHARS = 500

const ONCE = 'allow once'
const SESSION = 'allow for this session'
const ALWAYS = 'always allow'
const DENY = 'deny'

export interface FormParts {
  readonly link: McpClient
  readonly person: FormPerson
}

/** Asks the person behind the client whether a call may run. Whatever is no clear yes is a no. */
export async function approveByForm(
  request: ApprovalRequest,
  { link, person }: FormParts,
): Promise<ApprovalAnswer> {
  const by = person.name
  const choices = choicesFor(request, person)
  // Named after the question, so that no answer can have been prepared before it was asked.
  const key = `approval_${request.approvalId}`
  const answers = await link.ask(
    { [key]: { method: 'elicitation/create', params: formFor(request, choices) } },
    request.signal,
  )
  const { action, content } = answers[key]!
  if (action !== 'accept') return { approved: false, by }
  const decision = choices.find((choice) => choice === (content as JsonObject | undefined)?.['decision'])
  switch (decision) {
    case ONCE:
      return { approved: true, by }
    case SESSION:
      return { approved: true, by, scope: 'session' }
    case ALWAYS:
      return { approved: true, by, scope: 'always' }
    case DENY:
    case undefined:
      return { approved: false, by }
  }
}

type Choice = typeof ONCE | typeof SESSION | typeof ALWAYS | typeof DENY

function choicesFor({ suggestedUpdates }: ApprovalRequest, { mayChangeRules }: FormPerson): Choice[] {
  if (!mayChangeRules) return [ONCE, DENY]
  const isForSession = ({ destination }: Readonly<Record<string, unknown>>): boolean =>
    destination === 'session'
  const choices: Choice[] = [ONCE]
  if (suggestedUpdates.some(isForSession)) choices.push(SESSION)
  if (suggestedUpdates.some((update) => !isForSession(update))) choices.push(ALWAYS)
  return [...choices, DENY]
}

function formFor(request: ApprovalRequest, choices: readonly Choice[]): JsonObject {
  return {
    mode: 'form',
    message: messageFor(request),
    requestedSchema: {
      type: 'object',
      properties: { decision: { type: 'string', title: 'May it run?', enum: [...choices] } },
      required: ['decision'],
    },
  }
}

/** The id comes first and each part has its line: what a tool calls itself cannot pass for one of ours. */
function messageFor({ title, toolId, message, shownInput }: ApprovalRequest): string {
  const called = title === toolId ? '' : ` ("${cutText(oneLine(title), MAX_TITLE_CHARS)}")`
  return [
    `${oneLine(toolId)}${called} wants to run.`,
    cutText(oneLine(message), MAX_WORDS_CHARS),
    `Input: ${cutText(printableJson(shownInput), MAX_INPUT_CHARS)}`,
  ].join('\n')
}
