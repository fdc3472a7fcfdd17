import type {
  ClientAbilities,
  ClientAnswer,
  ClientLink,
  ClientNote,
  ClientQuestion,
  SamplingMessage,
} from '../../catalog/client-link.js'
import { withoutUndefined } from '../../platform/json/without-undefined.js'
import { fromMcpBlock, toMcpBlock } from './content-blocks.js'
import { isJsonObject, type JsonObject } from './protocol/json-rpc.js'
import { canElicitForms, hasAbility, type McpClient, type McpQuestion } from './protocol/mcp-client.js'
import { McpError, mcpErrorCodes } from './protocol/mcp-error.js'
import { MCP } from './protocol/native.js'

/** A client of the protocol as any tool can ask and tell it. */
export function toClientLink(client: McpClient): ClientLink {
  return {
    get program() {
      return client.program
    },
    get abilities() {
      return toAbilities(client.capabilities)
    },
    get wantsProgress() {
      return client.wantsProgress
    },
    native: { protocol: MCP, link: client },
    async ask(questions, signal) {
      const asked = Object.entries(questions)
      const said = asked.map(([key, question]) => [key, toMcpQuestion(question)] as const)
      const answers = await client.ask(Object.fromEntries(said), signal)
      return Object.fromEntries(
        asked.map(([key, { kind }]) => [key, fromMcpAnswer(kind, answers[key] ?? {})]),
      )
    },
    tell: (note) => client.notify(...toMcpNote(note)),
    goesOnAlone: () => client.goesOnAlone?.(),
    nameOf: (toolId) => client.nameOf?.(toolId),
  }
}

/** Whoever is behind a call as a client of the protocol: itself where it is one, else what it can do in its words. */
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
        throw new McpError(
          mcpErrorCodes.invalidRequest,
          error instanceof Error ? error.message : String(error),
        )
      })
      return Object.fromEntries(
        Object.entries(answers).map(([key, answer]) => [key, toMcpAnswer(answer)] as const),
      )
    },
    notify(method, params) {
      const note = fromMcpNote(method, params)
      if (note) link.tell(note)
    },
    goesOnAlone: () => link.goesOnAlone?.(),
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
    default: // a word of a server that no client is asked
      throw new McpError(mcpErrorCodes.methodNotFound, `No client can be asked ${method}.`)
  }
}

function schemaOf(given: unknown): JsonObject {
  return isJsonObject(given) ? given : { type: 'object' }
}

function toMessage(given: unknown): SamplingMessage {
  const { role, content } = isJsonObject(given) ? given : {}
  return { role: role === 'assistant' ? role : 'user', content: fromMcpBlock(content) }
}

function fromMcpAnswer(kind: ClientQuestion['kind'], answer: JsonObject): ClientAnswer {
  switch (kind) {
    case 'form':
    case 'link': {
      const { action, content } = answer
      // Whatever is no clear answer is none.
      const said = action === 'accept' || action === 'decline' ? action : 'cancel'
      return { kind, action: said, ...(isJsonObject(content) && { content }) }
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
  const { uri, name } = isJsonObject(given) ? given : {}
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

/** Nothing for what has no place outside of the protocol. */
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
