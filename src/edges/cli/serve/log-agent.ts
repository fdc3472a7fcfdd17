import type { AgentStatus } from '../../../crib/catalog/agents.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import { shadowedAgents } from '../../../host/serving/gateway-settings.js'
import { oneLine } from '../../../platform/text/printable.js'
import type { Terminal } from '../terminal/terminal.js'

/** The log of the agents that a gateway serves. */
export interface AgentLog {
  /** Prints one line for an agent that appears, breaks or disappears. */
  log(status: AgentStatus): void
  /** From now on, agents that appear have a line too; the first ones are listed with the address. */
  started(): void
}

export function createAgentLog(
  settings: CribSettings,
  terminal: Pick<Terminal, 'explain' | 'printJson' | 'sayStyle'>,
  isJson: boolean,
): AgentLog {
  const { bad } = terminal.sayStyle
  let hasStarted = false
  return {
    started: () => void (hasStarted = true),
    log(status) {
      const { name: agent, source, state, problem = '' } = status
      if (isJson) return terminal.printJson({ agent, source, state, ...(problem !== '' && { problem }) })
      const shown = oneLine(agent)
      switch (state) {
        case 'ready':
          if (hasStarted) terminal.explain(`The agent ${shown} of ${oneLine(source)} is served.`)
          for (const sentence of shadowedAgents(settings, [status])) terminal.explain(oneLine(sentence), bad)
          return
        case 'broken':
          return terminal.explain(`The agent ${shown} is not served: ${oneLine(problem)}`, bad)
        case 'gone':
          return terminal.explain(`The agent ${shown} of ${oneLine(source)} is gone and no longer served.`)
      }
    },
  }
}
