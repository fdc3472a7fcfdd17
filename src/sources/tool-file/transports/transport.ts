import type { AnsweredByPerson } from '../../../catalog/answered-by.js'
import type { ExecuteContext } from '../../../catalog/execute-context.js'
import type { SetupProblem } from '../../../catalog/tool-draft.js'
import type { ToolOutput } from '../../../catalog/tool-output.js'
import type { ExecutionKind } from '../../../contract/unions.js'
import type { LiveSecrets } from '../../../redaction/live-secrets.js'
import type { LateAnswer, LateOutcome } from '../../source.js'
import type { CompiledTool, ToolTransport } from '../compiled.js'

export type { LateAnswer, LateOutcome }

/** What transports share: connections are opened once for all tools of a folder. */
export interface TransportEnvironment {
  /** The name of the entry in the config. */
  readonly entry: string
  readonly env: NodeJS.ProcessEnv
  /** Secrets in use are added here, so that they are masked everywhere. */
  readonly live: LiveSecrets
  /** Code that is registered for a tool, such as the queries of `query_method: orm`. */
  codeFor(toolId: string): Promise<RegisteredCode | undefined>
  /** Milliseconds since 1970. */
  now(): number
  /** Receives problems that no caller waits for. */
  onProblem(message: string): void
  /**
   * Records an answer that came after its call had ended, with the call. Absent: late answers are not recorded.
   */
  recordLate?(invocationId: string, late: LateAnswer): Promise<LateOutcome>
}

/** A function of the person who runs Toolcrib, registered by the id of a tool. */
export type RegisteredCode = (input: never, context: never) => unknown

/** A tool that calls through this transport. */
export type ToolOn<Type extends ToolTransport['type']> = CompiledTool & {
  readonly transport: Extract<ToolTransport, { type: Type }>
}

/**
 * One protocol by which tools are called. Every transport runs the contract in
 * `test/sources/tool-file/transport-contract.ts`.
 */
export interface Transport<Type extends ToolTransport['type'] = ToolTransport['type']> {
  readonly type: Type
  /** Nothing connects before the first call. */
  open(tool: ToolOn<Type>): OpenedTransport
  /** Ends all connections; calls that run are aborted. */
  close(): Promise<void>
}

/** The transport of one tool. */
export interface OpenedTransport {
  readonly execution: ExecutionKind
  /** Hosts that every call contacts, as far as the file says them. Domain rules check them. */
  readonly hosts: readonly string[]
  /** The address that a call contacts, where the input is part of it. URL rules check it. */
  urlOf?(input: Readonly<Record<string, unknown>>): string | undefined
  /**
   * What is missing now, such as a credential or a package; undefined where the tool can be called. Absent: nothing can be
   * missing.
   */
  missing?(): SetupProblem | undefined
  /** Why an input cannot be sent, as one sentence; undefined where it can. */
  check?(input: Readonly<Record<string, unknown>>): string | undefined
  /**
   * Whether a failed call may be sent again, beside what the type of the tool says; `undefined`: only the type counts.
   */
  readonly isIdempotent?: boolean | undefined
  /** How long one attempt may take where the file does not say it; AML's default if absent. */
  readonly timeoutMs?: number | undefined
  /** Of tools of the type human: how their questions go out, and where answers come back. */
  readonly person?: Pick<AnsweredByPerson, 'announce' | 'answers'> | undefined
  /** Rejects with an error that has an `errorClass` and a `code`, and `native` facts where the service answered. */
  call(input: Readonly<Record<string, unknown>>, context: ExecuteContext): Promise<ToolOutput>
}
