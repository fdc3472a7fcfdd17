import type { JsonSchema } from '../../../contract/json-schema.js'
import { isAssignedTo } from '../../../approvals/may-answer.js'
import { contentOf, formOf } from '../../../pipeline/execute/ask-by-form.js'
import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import type { ApprovalAnswer, ApprovalRequest } from '../../../policy/decision.js'
import { chooseUpdate, updateInScope } from '../../../approvals/choose-update.js'
import { describeFacts } from '../../../approvals/describe-facts.js'
import { describeUpdate } from '../../../approvals/describe-update.js'
import type { McpClient } from '../../../sources/mcp/protocol/mcp-client.js'
import { oneLine, printableJson } from '../../../platform/text/printable.js'
import type { SeenClient } from '../gateway-events.js'
import type { FormPerson } from '../gateway-options.js'
import { truncateWithCount } from '../truncate-with-count.js'

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

/** Asks the person who uses the client whether a call may run. Only a clear yes allows it. */
export async function approveByForm(
  request: ApprovalRequest,
  { link, person, client }: FormParts,
): Promise<ApprovalAnswer> {
  const by = person.name
  if (request.form) return answerByForm(request, request.form, { link, person, client })
  const choices = choicesFor(request, person)
  // The key has the approval's id, so that a client cannot send an answer before the question.
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

/** Whether the person behind the client can answer this question there. */
export function canBeShown({ form, assignedTo }: ApprovalRequest, { name }: FormPerson): boolean {
  return form === undefined || (formOf(form) !== undefined && isAssignedTo(assignedTo, name))
}

/** Shows the form of a question to the person who uses the client. What they fill in is the result of the call. */
async function answerByForm(
  request: ApprovalRequest,
  form: JsonSchema,
  { link, person, client }: FormParts,
): Promise<ApprovalAnswer> {
  const by = person.name
  const key = `approval_${request.approvalId}`
  const { type, properties, required } = formOf(form) ?? {}
  const requestedSchema = { type, properties, ...(required !== undefined && { required }) }
  const params = { mode: 'form', message: questionFor(request, client), requestedSchema }
  const answers = await link.ask({ [key]: { method: 'elicitation/create', params } }, request.signal)
  const { action, content } = answers[key]!
  if (action === 'accept' && isObject(content))
    return { approved: true, by, content: contentOf(form, content) }
  if (action === 'decline') return { approved: false, by }
  throw new Error('The person closed the form without an answer.')
}

/** Each part has its own line, as in the question whether a call may run. */
function questionFor(
  { title, toolId, description, shownInput, problem }: ApprovalRequest,
  client: SeenClient,
): string {
  const called = title === toolId ? '' : ` ("${truncateWithCount(oneLine(title), MAX_TITLE_CHARS)}")`
  return [
    ...(problem === undefined ? [] : [truncateWithCount(oneLine(problem), MAX_WORDS_CHARS)]),
    `${oneLine(toolId)}${called} asks you; your answer is its result.`,
    truncateWithCount(oneLine(description), MAX_WORDS_CHARS),
    `Input: ${truncateWithCount(printableJson(shownInput), MAX_INPUT_CHARS)}`,
    `Client: ${clientText(client)}`,
  ].join('\n')
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

/** The id comes first and each part has its own line, so that a tool's title cannot imitate another part. */
function messageFor(request: ApprovalRequest, { choices, client }: Form): string {
  const { title, toolId, message, shownInput, facts, touched } = request
  const called = title === toolId ? '' : ` ("${truncateWithCount(oneLine(title), MAX_TITLE_CHARS)}")`
  return [
    `${oneLine(toolId)}${called} wants to run.`,
    truncateWithCount(oneLine(message), MAX_WORDS_CHARS),
    `Input: ${truncateWithCount(printableJson(shownInput), MAX_INPUT_CHARS)}`,
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
    list.length === 0 ? [] : [`${label}: ${truncateWithCount(oneLine(list.join(', ')), MAX_WORDS_CHARS)}`],
  )
}

/** The rule that a lasting approval adds, so that the person sees which calls it allows. */
function ruleLine(choice: Choice, { suggestedUpdates }: ApprovalRequest): string[] {
  const scope = choice === SESSION ? 'session' : choice === ALWAYS ? 'always' : undefined
  const chosen = scope && chooseUpdate(suggestedUpdates, { scope })
  if (!chosen) return []
  return [
    `"${choice}" adds the rule: ${truncateWithCount(describeUpdate(updateInScope(chosen, scope)), MAX_WORDS_CHARS)}`,
  ]
}
