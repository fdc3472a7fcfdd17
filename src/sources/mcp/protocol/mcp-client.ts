import type { ClientProgram } from '../../../catalog/client-link.js'
import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject } from './json-rpc.js'

/** One question of a server to the client: `elicitation/create`, `sampling/createMessage` or `roots/list`. */
export interface McpQuestion {
  method: string
  params?: JsonObject
}

/** The client behind a request, in the words of the protocol. */
export interface McpClient {
  readonly program?: ClientProgram | undefined
  /** What the client says it can do: `elicitation`, `sampling`, `roots`, … */
  readonly capabilities: Readonly<JsonObject>
  /** The `_meta` of the client's request, without what only concerns the connection to it. */
  readonly meta?: Readonly<JsonObject> | undefined
  /**
   * Asks all of them at once; the answers stand under the same keys. Rejects with an McpError where the client cannot
   * be asked or refuses.
   */
  ask(
    questions: Readonly<Record<string, McpQuestion>>,
    signal: AbortSignal,
  ): Promise<Record<string, JsonObject>>
  /** Tells it something that belongs to this call, such as `notifications/message` or `notifications/progress`. */
  notify(method: string, params: JsonObject): void
  /** The server behind the tool goes on by itself, as a task: whoever takes tasks too need not be kept waiting. */
  goesOnAlone?(): void
  /** The name under which the client has a tool, where it has it. */
  nameOf?(toolId: string): string | undefined
  /** Whether the client asked to hear of progress. */
  readonly wantsProgress: boolean
}

/** Whether a form can be shown to the person behind a client. One that does not say which kinds can show forms. */
export function canElicitForms({ elicitation }: Readonly<JsonObject>): boolean {
  if (!isObject(elicitation)) return false
  return isObject(elicitation['form']) || !isObject(elicitation['url'])
}

/** Whether a capability is declared, or one part of it. */
export function hasAbility(capabilities: Readonly<JsonObject>, name: string, part?: string): boolean {
  const found = capabilities[name]
  return isObject(found) && (part === undefined || isObject(found[part]))
}
