import type {
  ClientAbilities,
  ClientAnswer,
  ClientLink,
  ClientNote,
  ClientQuestion,
  SamplingMessage,
} from '../../catalog/client-link.js'
import { isObject } from '../../platform/json/is-object.js'
import { withoutUndefined } from '../../platform/json/without-undefined.js'
import { errorMessage } from '../../platform/text/error-message.js'
import { fromMcpBlock, toMcpBlock } from './content-blocks.js'
import type { JsonObject } from './protocol/json-rpc.js'
import { canElicitForms, hasAbility, type McpClient, type McpQuestion } from './protocol/mcp-client.js'
import { McpError, mcpErrorCodes } from './protocol/mcp-error.js'
import { MCP } from './protocol/native.js'

/** An MCP client as the protocol-neutral link that any tool can use. */
export function toClientLink(client: McpClient): ClientLink {
  return new McpClientLink(client)
}

// A class: one is made in every request, and an object with getters of its own takes ten times as long.
class McpClientLink implements ClientLink {
  readonly native: NonNullable<ClientLink['native']>
  private readonly client: McpClient

  constructor(client: McpClient) {
    this.client = client
    this.native = { protocol: MCP, link: client }
  }

  get program(): ClientLink['program'] {
    return this.client.program
  }

  get abilities(): ClientAbilities {
    return toAbilities(this.client.capabilities)
  }

  get wantsProgress(): boolean {
    return this.client.wantsProgress
  }

  async ask(
    questions: Readonly<Record<string, ClientQuestion>>,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, ClientAnswer>>> {
    const asked = Object.entries(questions)
    const sent = asked.map(([key, question]) => [key, toMcpQuestion(question)] as const)
    const answers = await this.client.ask(Object.fromEntries(sent), signal)
    return Object.fromEntries(asked.map(([key, { kind }]) => [key, fromMcpAnswer(kind, answers[key] ?? {})]))
  }

  tell(note: ClientNote): void {
    this.client.notify(...toMcpNote(note))
  }

  continuesAsTask(): void {
    this.client.continuesAsTask?.()
  }

  nameOf(toolId: string): string | undefined {
    return this.client.nameOf?.(toolId)
  }
}

/** A client link as an MCP client: the original where it is one, else an adapter with the link's capabilities. */
export function toMcpClient(link: ClientLink): McpClient {
  if (link.native?.protocol === MCP) return link.native.link as McpClient
  return {
    program: link.program,
    capabilities: toCapabilities(link.abilities),
    wantsProgress: link.wantsProgress,
    async ask(questions, signal) {
      const asked = Object.entries(questions).map(
        ([key, question]) => [key, fromMcpQuestion(question)] as const,
      )
      const answers = await link.ask(Object.fromEntries(asked), signal).catch((error: unknown) => {
        throw new McpError(mcpErrorCodes.invalidRequest, errorMessage(error))
      })
      return Object.fromEntries(
        Object.entries(answers).map(([key, answer]) => [key, toMcpAnswer(answer)] as const),
      )
    },
    notify(method, params) {
      const note = fromMcpNote(method, params)
      if (note) link.tell(note)
    },
    continuesAsTask: () => link.continuesAsTask?.(),
    nameOf: (toolId) => link.nameOf?.(toolId),
  }
}

function toAbilities(capabilities: Readonly<JsonObject>): ClientAbilities {
  return {
    form: canElicitForms(capabilities),
    link: hasAbility(capabilities, 'elicitation', 'url'),
    sampling: hasAbility(capabilities, 'sampling'),
    roots: hasAbility(capabilities, 'roots'),
  }
}

function toCapabilities({ form, link, sampling, roots }: ClientAbilities): JsonObject {
  return {
    ...((form || link) && { elicitation: { ...(form && { form: {} }), ...(link && { url: {} }) } }),
    ...(sampling && { sampling: {} }),
    ...(roots && { roots: {} }),
  }
}

const SAMPLED_TOKENS = 1024

function toMcpQuestion(question: ClientQuestion): McpQuestion {
  switch (question.kind) {
    case 'form': {
      const { message, schema: requestedSchema } = question
      return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } }
    }
    case 'link': {
      const { message, url, id: elicitationId } = question
      const params = withoutUndefined({ mode: 'url', message, url, elicitationId })
      return { method: 'elicitation/create', params }
    }
    case 'sampling': {
      const { messages, system: systemPrompt, maxTokens = SAMPLED_TOKENS } = question
      const said = messages.map(({ role, content }) => ({ role, content: toMcpBlock(content) }))
      const params = withoutUndefined({ messages: said, systemPrompt, maxTokens })
      return { method: 'sampling/createMessage', params }
    }
    case 'roots':
      return { method: 'roots/list' }
  }
}

function fromMcpQuestion({ method, params = {} }: McpQuestion): ClientQuestion {
  switch (method) {
    case 'elicitation/create': {
      const message = String(params['message'] ?? '')
      if (params['mode'] !== 'url')
        return { kind: 'form', message, schema: schemaOf(params['requestedSchema']) }
      const { url, elicitationId: id } = params
      return { kind: 'link', message, url: String(url), ...(typeof id === 'string' && { id }) }
    }
    case 'sampling/createMessage': {
      const { messages, systemPrompt: system, maxTokens } = params
      return {
        kind: 'sampling',
        messages: (Array.isArray(messages) ? messages : []).map(toMessage),
        ...(typeof system === 'string' && { system }),
        ...(typeof maxTokens === 'number' && { maxTokens }),
      }
    }
    case 'roots/list':
      return { kind: 'roots' }
    default: // an unknown request of a server, which is not passed on
      throw new McpError(mcpErrorCodes.methodNotFound, `No client can be asked ${method}.`)
  }
}

function schemaOf(given: unknown): JsonObject {
  return isObject(given) ? given : { type: 'object' }
}

function toMessage(given: unknown): SamplingMessage {
  const { role, content } = isObject(given) ? given : {}
  return { role: role === 'assistant' ? role : 'user', content: fromMcpBlock(content) }
}

function fromMcpAnswer(kind: ClientQuestion['kind'], answer: JsonObject): ClientAnswer {
  switch (kind) {
    case 'form':
    case 'link': {
      const { action, content } = answer
      // An unclear answer counts as cancel.
      const said = action === 'accept' || action === 'decline' ? action : 'cancel'
      return { kind, action: said, ...(isObject(content) && { content }) }
    }
    case 'sampling': {
      const { model } = answer
      return { kind, ...toMessage(answer), ...(typeof model === 'string' && { model }) }
    }
    case 'roots': {
      const { roots } = answer
      return { kind, roots: (Array.isArray(roots) ? roots : []).flatMap(rootOf) }
    }
  }
}

function rootOf(given: unknown): { uri: string; name?: string }[] {
  const { uri, name } = isObject(given) ? given : {}
  if (typeof uri !== 'string') return []
  return [{ uri, ...(typeof name === 'string' && { name }) }]
}

function toMcpAnswer(answer: ClientAnswer): JsonObject {
  switch (answer.kind) {
    case 'form':
    case 'link': {
      const { action, content } = answer
      return { action, ...(content && { content }) }
    }
    case 'sampling': {
      const { role, content, model = 'unknown' } = answer
      return { role, content: toMcpBlock(content), model }
    }
    case 'roots':
      return { roots: answer.roots }
  }
}

function toMcpNote({ kind, ...params }: ClientNote): [string, JsonObject] {
  return [kind === 'progress' ? 'notifications/progress' : 'notifications/message', { ...params }]
}

/** Undefined for notifications that have no protocol-neutral form. */
function fromMcpNote(method: string, params: JsonObject): ClientNote | undefined {
  const { progress, total, message, level, data, logger } = params
  if (method === 'notifications/progress' && typeof progress === 'number')
    return {
      kind: 'progress',
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message }),
    }
  if (method === 'notifications/message' && typeof level === 'string')
    return { kind: 'log', level, data, ...(typeof logger === 'string' && { logger }) }
  return undefined
}
