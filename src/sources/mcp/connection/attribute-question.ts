import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject } from '../protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../protocol/mcp-error.js'
import { OWN_SERVER_KEY } from '../protocol/meta-keys.js'
import { cleanLine, cleanText, countHidden } from '../../../platform/text/clean-text.js'
import { cleanAllText, cleanWords } from '../../../platform/text/clean-words.js'
import { webLink } from '../../../platform/text/web-link.js'
import type { McpQuestion } from '../protocol/mcp-client.js'
import { measure } from '../../changes/measure.js'
import { withSafeContent } from '../safe-links.js'

const MAX_QUESTION = { maxDepth: 64, maxBytes: 1024 * 1024 }
const MAX_MESSAGE_CHARS = 10_000
const MAX_ERROR_DATA = { maxDepth: 1_000, maxBytes: 1024 * 1024 }
const MAX_LOG = { maxDepth: 64, maxBytes: 256 * 1024 }

/**
 * A server's question that is safe to put to a client or a person: it begins with the server's name in the config,
 * which no text of the server can imitate; it has no hidden characters, and its link leads to the web.
 */
export function attributeQuestion(question: McpQuestion, server: string): McpQuestion {
  const { method, params } = question
  if (!isObject(params)) return question
  if (typeof measure(params, MAX_QUESTION) !== 'number')
    throw new McpError(mcpErrorCodes.invalidParams, 'The question is too large or nested too deeply.')
  switch (method) {
    case 'elicitation/create':
      return { ...question, params: named(elicitation(params, server), server) }
    case 'sampling/createMessage':
      return { ...question, params: named(sampling(params, server), server) }
    default:
      return question
  }
}

function elicitation(params: JsonObject, server: string): JsonObject {
  const said = typeof params['message'] === 'string' ? cleanText(params['message'], MAX_MESSAGE_CHARS) : ''
  const asks = `The server "${server}" asks:`
  if (params['mode'] !== 'url')
    return {
      ...params,
      message: `${asks}\n${said}`,
      ...(params['requestedSchema'] !== undefined && {
        requestedSchema: cleanWords(params['requestedSchema']),
      }),
    }
  const link = webLink(params['url'])
  if (!link)
    throw new McpError(mcpErrorCodes.invalidParams, 'A person is only sent to addresses with http or https.')
  return {
    ...params,
    message: `${asks} to open an address at ${link.host}.\n${said}`,
    url: shownUrl(params['url'], link),
  }
}

/** Unchanged, unless it has hidden characters. */
function shownUrl(sent: unknown, { href }: URL): string {
  return typeof sent === 'string' && countHidden(sent) === 0 ? sent : href
}

function sampling(params: JsonObject, server: string): JsonObject {
  const { systemPrompt, messages, includeContext: _, ...rest } = params
  const says = `This request comes from the server "${server}".`
  return {
    ...rest,
    ...(messages !== undefined && { messages: cleanAllText(safeMessages(messages)) }),
    systemPrompt: typeof systemPrompt === 'string' ? `${says}\n\n${cleanText(systemPrompt)}` : says,
    // To the client, all upstream servers are one server: its context includes that of the other servers.
    ...(params['includeContext'] !== undefined && { includeContext: 'none' }),
  }
}

function safeMessages(messages: unknown): unknown {
  return Array.isArray(messages) ? messages.map(withSafeContent) : messages
}

function named(params: JsonObject, server: string): JsonObject {
  const { _meta } = params
  return { ...params, _meta: { ...(isObject(_meta) ? _meta : {}), [OWN_SERVER_KEY]: server } }
}

/** A log message of a server under the server's name; undefined for one that is too large. */
export function attributeLog(params: JsonObject, server: string): JsonObject | undefined {
  if (typeof measure(params, MAX_LOG) !== 'number') return undefined
  const { logger, data } = params
  const part = typeof logger === 'string' ? cleanLine(logger, 100) : ''
  return { ...params, logger: part === '' ? server : `${server}/${part}`, data: cleanAllText(data) }
}

/**
 * The data of an error, unless it is too large. Addresses to open are limited to the web, and shown under the server's
 * name.
 */
export function shownErrorData({ data }: { data?: unknown }, server: string): unknown {
  if (typeof measure(data, MAX_ERROR_DATA) !== 'number') return undefined
  const asked = isObject(data) ? data['elicitations'] : undefined
  if (!isObject(data) || !Array.isArray(asked)) return data
  const elicitations = asked.filter(isObject).flatMap((each) => {
    if (webLink(each['url']) === undefined) return []
    return [elicitation({ ...each, mode: 'url' }, server)]
  })
  return { ...data, elicitations }
}
