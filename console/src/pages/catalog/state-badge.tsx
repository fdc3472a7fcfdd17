import type { ReactNode } from 'react'
import type { ToolSummary } from '../../api/types.js'
import { Badge, type Tone } from '../../ui/badge.js'
import { visibleText } from '../../ui/text.js'

const STATES: Readonly<Record<string, readonly [words: string, tone: Tone]>> = {
  ready: ['ready', 'good'],
  blocked: ['needs acceptance', 'bad'],
  needs_setup: ['needs setup', 'warn'],
  disabled: ['disabled', 'neutral'],
  connecting: ['connecting', 'info'],
}

export function stateWords(state: string): string {
  return STATES[state]?.[0] ?? state.replaceAll('_', ' ')
}

/** Whether a tool can be called now, with the reason as its title. */
export function StateBadge({ tool }: { readonly tool: Pick<ToolSummary, 'state' | 'problem'> }): ReactNode {
  const { state, problem } = tool
  return (
    <Badge
      tone={STATES[state]?.[1] ?? 'neutral'}
      {...(problem === undefined ? {} : { title: visibleText(problem) })}
    >
      {stateWords(state)}
    </Badge>
  )
}

const KINDS: Readonly<Record<string, string>> = {
  mcp_tool: 'MCP',
  openapi_operation: 'API',
  shell_command: 'shell',
  code_execution: 'code',
  file_operation: 'files',
  browser_action: 'browser',
  native_tool: 'native',
}

export function kindWords(kind: string): string {
  return KINDS[kind] ?? kind.replace('toolcrib.', '').replaceAll('_', ' ')
}
