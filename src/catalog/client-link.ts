/** One question of a server to the client: `elicitation/create`, `sampling/createMessage` or `roots/list`. */
export interface ClientQuestion {
  method: string
  params?: Record<string, unknown>
}

/** What a program calls itself. Nobody vouches for it. */
export interface ClientProgram {
  readonly name: string
  readonly version?: string | undefined
}

/** "cursor 1.2" */
export function programText({ name, version }: ClientProgram): string {
  return version === undefined ? name : `${name} ${version}`
}

/**
 * The program at the other end of a call, where it can be asked and told things. It speaks the Model Context Protocol's
 * words, whichever door it came through.
 */
export interface ClientLink {
  readonly program?: ClientProgram | undefined
  /** What the client says it can do, in the protocol's words: `elicitation`, `sampling`, `roots`, … */
  readonly capabilities: Readonly<Record<string, unknown>>
  /** The `_meta` of the client's request, without what only concerns the connection to it. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  /**
   * Asks all of them at once; the answers stand under the same keys. Rejects with an McpError where the client cannot
   * be asked or refuses.
   */
  ask(
    questions: Readonly<Record<string, ClientQuestion>>,
    signal: AbortSignal,
  ): Promise<Record<string, Record<string, unknown>>>
  /** Tells it something that belongs to this call, such as `notifications/message` or `notifications/progress`. */
  notify(method: string, params: Record<string, unknown>): void
  /** The server behind the tool goes on by itself, as a task: whoever takes tasks too need not be kept waiting. */
  goesOnAlone?(): void
  /** The name under which the client has a tool, where it has it. */
  nameOf?(toolId: string): string | undefined
  /** Whether the client asked to hear of progress. */
  readonly wantsProgress: boolean
}
