import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject } from '../protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../protocol/mcp-error.js'
import type { McpClient, McpQuestion } from '../protocol/mcp-client.js'
import { attributeQuestion } from './attribute-question.js'

/** Each question goes to a person or a model: more than this at once are refused. */
export const MAX_QUESTIONS = 16

export type Answers = Record<string, JsonObject>

export interface Answerers {
  /** The server's name in the config; it is shown with the question. */
  readonly server: string
  /** The client of the request that the server is working on. */
  readonly client: McpClient | undefined
  /** Answers questions that belong to no request; it names the server itself. */
  readonly answer: ((question: McpQuestion, signal: AbortSignal) => Promise<JsonObject>) | undefined
}

/** Gets answers to a server's questions, all at once. The client is not asked for what it does not support. */
export async function askClient(
  questions: Readonly<Record<string, McpQuestion>>,
  { server, client, answer }: Answerers,
  signal: AbortSignal,
): Promise<Answers> {
  const many = Object.keys(questions).length
  if (many > MAX_QUESTIONS)
    throw new McpError(
      mcpErrorCodes.invalidRequest,
      `These are ${many} questions at once; ${MAX_QUESTIONS} are the most.`,
    )
  const answers: Answers = {}
  const open: Record<string, McpQuestion> = {}
  for (const [key, question] of Object.entries(questions)) {
    // Roots describe the client: without a client, the correct answer is an empty list.
    if (isRootless(question, client) && !(client === undefined && answer)) answers[key] = { roots: [] }
    else open[key] = question
  }
  if (client) {
    for (const question of Object.values(open)) refuseWhatItCannot(question, client.capabilities)
    if (Object.keys(open).length === 0) return answers
    const named = Object.entries(open).map(
      ([key, question]) => [key, attributeQuestion(question, server)] as const,
    )
    return { ...(await client.ask(Object.fromEntries(named), signal)), ...answers }
  }
  for (const [key, question] of Object.entries(open)) {
    if (!answer)
      throw new McpError(
        mcpErrorCodes.methodNotFound,
        `There is no client behind this that could answer ${question.method}.`,
      )
    answers[key] = await answer(question, signal)
  }
  return answers
}

function isRootless(question: McpQuestion, client: McpClient | undefined): boolean {
  return question.method === 'roots/list' && client?.capabilities['roots'] === undefined
}

/** Throws the error that the server gets where the client of the call does not support the question. */
function refuseWhatItCannot(question: McpQuestion, capabilities: Readonly<Record<string, unknown>>): void {
  const missing = missingCapability(question, capabilities)
  if (missing === undefined) return
  if (missing === 'unknown')
    throw new McpError(mcpErrorCodes.methodNotFound, `${question.method} is not a request to a client.`)
  throw new McpError(
    mcpErrorCodes.missingClientCapability,
    `The client behind this call cannot answer ${question.method}: it has no ${missing}.`,
    { requiredCapabilities: nested(missing) },
  )
}

function missingCapability(
  { method, params }: McpQuestion,
  capabilities: Readonly<Record<string, unknown>>,
): string | undefined {
  switch (method) {
    case 'roots/list':
      return undefined
    case 'sampling/createMessage': {
      const sampling = capabilities['sampling']
      if (!isObject(sampling)) return 'sampling'
      const usesTools = params?.['tools'] !== undefined || params?.['toolChoice'] !== undefined
      return usesTools && sampling['tools'] === undefined ? 'sampling.tools' : undefined
    }
    case 'elicitation/create': {
      const elicitation = capabilities['elicitation']
      if (!isObject(elicitation)) return 'elicitation'
      if (params?.['mode'] === 'url') return elicitation['url'] === undefined ? 'elicitation.url' : undefined
      // Clients before 2025-11-25 support only forms and do not declare that.
      const hasForms = elicitation['form'] !== undefined || elicitation['url'] === undefined
      return hasForms ? undefined : 'elicitation.form'
    }
    default:
      return 'unknown'
  }
}

function nested(path: string): JsonObject {
  return path.split('.').reduceRight<JsonObject>((inner, name) => ({ [name]: inner }), {})
}
