import type { JudgedFacts } from '../decision.js'

/** An outside policy engine. It gets plain data and answers allow, ask or deny. */
export interface PolicyEngine {
  /** Its name in records and messages. */
  readonly name: string
  /** Its timeout, if the caller gives none. */
  readonly timeoutMs?: number | undefined
  decide(request: EngineRequest, signal: AbortSignal): EngineAnswer | Promise<EngineAnswer>
  /**
   * What it decides by, without secrets: records refer to it, and it is stored. The same object until it changes;
   * `policies` by their names, if it has them.
   */
  describe?(): EngineDescription
  close?(): Promise<void>
}

export interface EngineDescription {
  readonly policies?: Readonly<Record<string, object>>
  readonly [fact: string]: unknown
}

/** What an engine sees of a call. */
export interface EngineRequest {
  readonly invocationId: string
  readonly tool: EngineTool
  readonly input: unknown
  readonly facts: JudgedFacts
  /** The tool's permission profile. */
  readonly permission: Readonly<Record<string, unknown>>
  readonly actor?: string | undefined
  readonly role?: string | undefined
  readonly session?: string | undefined
  readonly tenant: string
  readonly surfaceId: string
  readonly mode: string
  /** Paths, hosts and commands found in the input, and hosts that the tool states. Absent means unknown, not none. */
  readonly reads?: readonly string[] | undefined
  readonly writes?: readonly string[] | undefined
  readonly hosts?: readonly string[] | undefined
  readonly commands?: readonly string[] | undefined
}

export interface EngineTool {
  readonly id: string
  readonly namespace: string
  readonly name: string
  readonly kind: string
  readonly source: string
  readonly fingerprint: string
}

export interface EngineAnswer {
  behavior: 'allow' | 'ask' | 'deny'
  message?: string
  /** The policies that decided, by the engine's own names. */
  policyRefs?: string[]
}
