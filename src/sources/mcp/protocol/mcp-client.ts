import type { ClientProgram } from '../../../catalog/client-link.js'
import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject } from './json-rpc.js'

/** One question of a server to the client: `elicitation/create`, `sampling/createMessage` or `roots/list`. */
export interface McpQuestion {
  method: string
  params?: JsonObject
}

/** The MCP client of a request. */
export interface McpClient {
  readonly program?: ClientProgram | undefined
  /** The client's declared capabilities: `elicitation`, `sampling`, `roots`, … */
  readonly capabilities: Readonly<JsonObject>
  /** The `_meta` of the client's request, without the keys of its connection. */
  readonly meta?: Readonly<JsonObject> | undefined
  /**
   * Asks all questions at once; the answers have the same keys. Rejects with an McpError where the client cannot be
   * asked or refuses.
   */
  ask(
    questions: Readonly<Record<string, McpQuestion>>,
    signal: AbortSignal,
  ): Promise<Record<string, JsonObject>>
  /** Sends a notification about this call, such as `notifications/message` or `notifications/progress`. */
  notify(method: string, params: JsonObject): void
  /** Reports that the upstream call continues as a task: a client that supports tasks can get a task too. */
  continuesAsTask?(): void
  /** The client's name for a tool, if the client has the tool. */
  nameOf?(toolId: string): string | undefined
  /** Whether the client requested progress notifications. */
  readonly wantsProgress: boolean
  /** The client for which this one stands: questions are matched to clients by identity. */
  readonly original?: McpClient | undefined
}

export function originalOf(client: McpClient): McpClient {
  return client.original ?? client
}

/** Whether the client can show forms. A client that declares no kinds supports forms. */
export function canElicitForms({ elicitation }: Readonly<JsonObject>): boolean {
  if (!isObject(elicitation)) return false
  return isObject(elicitation['form']) || !isObject(elicitation['url'])
}

/** Whether a capability is declared, or one part of it. */
export function hasAbility(capabilities: Readonly<JsonObject>, name: string, part?: string): boolean {
  const found = capabilities[name]
  return isObject(found) && (part === undefined || isObject(found[part]))
}
