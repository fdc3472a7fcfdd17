import { isJsonObject, type JsonObject } from '../protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../protocol/mcp-error.js'
import type { McpClient, McpQuestion } from '../protocol/mcp-client.js'
import { nameSpeaker } from './name-speaker.js'

/** A person or a model stands behind each of them: more than this at once are no questions. */
export const MAX_QUESTIONS = 16

export type Answers = Record<string, JsonObject>

export interface Answerers {
  /** The name of the server in the config: whoever is asked learns who asks. */
  readonly server: string
  /** Who is behind the request that the server works on. */
  readonly client: McpClient | undefined
  /** Answers what belongs to nobody's request; it says itself who asks. */
  readonly answer: ((question: McpQuestion, signal: AbortSignal) => Promise<JsonObject>) | undefined
}

/** Has a server's questions answered, all at once. Nobody is asked for what the client cannot do. */
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
    // Roots are what the client has, and without them the right answer is that there are none.
    if (isRootless(question, client) && !(client === undefined && answer)) answers[key] = { roots: [] }
    else open[key] = question
  }
  if (client) {
    for (const question of Object.values(open)) refuseWhatItCannot(question, client.capabilities)
    if (Object.keys(open).length === 0) return answers
    const named = Object.entries(open).map(([key, question]) => [key, nameSpeaker(question, server)] as const)
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

/** Throws the one sentence that a server is told where the client behind a call cannot answer it. */
function refuseWhatItCannot(question: McpQuestion, capabilities: Readonly<Record<string, unknown>>): void {
  const missing = missingCapability(question, capabilities)
  if (missing === undefined) return
  if (missing === 'unknown')
    throw new McpError(mcpErrorCodes.methodNotFound, `A client is never asked for ${question.method}.`)
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
      if (!isJsonObject(sampling)) return 'sampling'
      const usesTools = params?.['tools'] !== undefined || params?.['toolChoice'] !== undefined
      return usesTools && sampling['tools'] === undefined ? 'sampling.tools' : undefined
    }
    case 'elicitation/create': {
      const elicitation = capabilities['elicitation']
      if (!isJsonObject(elicitation)) return 'elicitation'
      if (params?.['mode'] === 'url') return elicitation['url'] === undefined ? 'elicitation.url' : undefined
      // Clients before 2025-11-25 only know forms, and do not say so.
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
