import { defineTool, type OfferedAgent, type Source } from 'toolcrib'

/** A source with a few tools and agents that a test can change. */
export function agentsSource({
  name = 'desk',
  tools = ['look', 'send', 'close'],
  agents,
}: {
  name?: string
  tools?: readonly string[]
  agents: Readonly<Record<string, OfferedAgent>>
}): Source & { change(next: Readonly<Record<string, OfferedAgent>>): void } {
  let offered = agents
  let changed = (): void => {}
  return {
    name: `desk:${name}`,
    entry: name,
    list: async () =>
      tools.map((tool) =>
        defineTool({
          namespace: `aml.${name}`,
          name: tool,
          description: `Does ${tool}.`,
          isReadOnly: true,
          isOpenWorld: false,
          execute: () => tool,
        }),
      ),
    surfaces: () => new Map(Object.entries(offered)),
    watch(listener) {
      changed = listener
      return () => (changed = () => {})
    },
    change(next) {
      offered = next
      changed()
    },
  }
}

/** An agent of the source `desk`. */
export function agentOf(
  include: readonly string[],
  more: Partial<Extract<OfferedAgent, { include: unknown }>> = {},
): OfferedAgent {
  return {
    include: include.map((tool) => `aml.desk.${tool}`),
    approvalRequired: [],
    maxCallsPerRun: {},
    ...more,
  }
}
