import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import type { ApprovalAnswer, ApprovalRequest } from '../../../policy/decision.js'
import { chooseUpdate, updateInScope } from '../../../approvals/choose-update.js'
import { describeFacts } from '../../../approvals/describe-facts.js'
import { describeUpdate } from '../../../approvals/describe-update.js'
import type { McpClient } from '../../../sources/mcp/protocol/mcp-client.js'
import { oneLine, printableJson } from '../../../platform/text/printable.js'
import { cutText } from '../cut-text.js'
import type { SeenClient } from '../gateway-events.js'
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
  readonly client: SeenClient
}

/** Asks the person behind the client whether a call may run. Whatever is no clear yes is a no. */
export async function approveByForm(
  request: ApprovalRequest,
  { link, person, client }: FormParts,
): Promise<ApprovalAnswer> {
  const by = person.name
  const choices = choicesFor(request, person)
  // Named after the question, so that no answer can have been prepared before it was asked.
  const key = `approval_${request.approvalId}`
  const answers = await link.ask(
    { [key]: { method: 'elicitation/create', params: formFor(request, { choices, client }) } },
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

interface Form {
  readonly choices: readonly Choice[]
  readonly client: SeenClient
}

function formFor(request: ApprovalRequest, form: Form): JsonObject {
  const { choices } = form
  return {
    mode: 'form',
    message: messageFor(request, form),
    requestedSchema: {
      type: 'object',
      properties: { decision: { type: 'string', title: 'May it run?', enum: [...choices] } },
      required: ['decision'],
    },
  }
}

/** The id comes first and each part has its line: what a tool calls itself cannot pass for one of ours. */
function messageFor(request: ApprovalRequest, { choices, client }: Form): string {
  const { title, toolId, message, shownInput, facts, touched } = request
  const called = title === toolId ? '' : ` ("${cutText(oneLine(title), MAX_TITLE_CHARS)}")`
  return [
    `${oneLine(toolId)}${called} wants to run.`,
    cutText(oneLine(message), MAX_WORDS_CHARS),
    `Input: ${cutText(printableJson(shownInput), MAX_INPUT_CHARS)}`,
    `Client: ${clientText(client)}`,
    `Facts: ${describeFacts(facts)}`,
    ...touchedLines(touched),
    ...choices.flatMap((choice) => ruleLine(choice, request)),
  ].join('\n')
}

function clientText({ name, actor }: SeenClient): string {
  return oneLine(name === undefined ? actor : `${name}, as ${actor}`)
}

function touchedLines(touched: ApprovalRequest['touched']): string[] {
  const paths = (access: 'read' | 'write'): string[] =>
    (touched?.paths ?? []).flatMap((each) => (each.access === access ? [each.path] : []))
  const lists = { Reads: paths('read'), Writes: paths('write'), Hosts: touched?.hosts ?? [] }
  return Object.entries(lists).flatMap(([label, list]) =>
    list.length === 0 ? [] : [`${label}: ${cutText(oneLine(list.join(', ')), MAX_WORDS_CHARS)}`],
  )
}

/** What a yes for longer writes: nobody should have to guess which calls it lets run. */
function ruleLine(choice: Choice, { suggestedUpdates }: ApprovalRequest): string[] {
  const scope = choice === SESSION ? 'session' : choice === ALWAYS ? 'always' : undefined
  const chosen = scope && chooseUpdate(suggestedUpdates, { scope })
  if (!chosen) return []
  return [
    `"${choice}" adds the rule: ${cutText(describeUpdate(updateInScope(chosen, scope)), MAX_WORDS_CHARS)}`,
  ]
}
