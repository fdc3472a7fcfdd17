/** The tools that a source gives to one agent, and what it demands of their calls. */
export interface AgentSurface {
  /** Ids of tools: the agent sees no others. */
  readonly include: readonly string[]
  /** Ids of tools whose every call requires approval. */
  readonly approvalRequired: readonly string[]
  /** How many calls of a tool one run may make, by the id of the tool. */
  readonly maxCallsPerRun: Readonly<Record<string, number>>
  readonly defaultToolChoice?: 'none' | 'auto' | 'required' | undefined
}

/** What a source knows of an agent: its surface, or in one sentence why there is none. */
export type OfferedAgent = AgentSurface | { readonly problem: string }
