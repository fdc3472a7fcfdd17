import { foldName } from './fold-name.js'
import { toNameTest } from './name-test.js'
import type { Rule } from './rule.js'
import type { RuleTool } from './rule-tool.js'

/** What a coding agent's tool name means here: a kind of tool, independent of its name. */
interface AgentToolName {
  readonly means: (tool: RuleTool, names: readonly string[]) => boolean
  /** The effect on paths or hosts that a deny or ask under this name is about, with any tool. */
  readonly effect: 'read' | 'write' | 'hosts' | undefined
}

const isShell = (tool: RuleTool): boolean => tool.fields.command !== undefined
const isFile = ({ kind, fields }: RuleTool): boolean => kind === 'file_operation' && fields.paths.length > 0
const writes = ({ fields }: RuleTool): boolean => fields.paths.some(({ access }) => access === 'write')
const readsFiles = (tool: RuleTool): boolean => isFile(tool) && !writes(tool)
const writesFiles = (tool: RuleTool): boolean => isFile(tool) && writes(tool)
const isNamed =
  (...ids: string[]) =>
  (_: RuleTool, names: readonly string[]): boolean =>
    ids.some((id) => names.includes(id))

const agentToolNames: Readonly<Record<string, AgentToolName>> = {
  Bash: { means: isShell, effect: undefined },
  Read: { means: readsFiles, effect: 'read' },
  Grep: { means: isNamed('files.search', 'files.grep'), effect: 'read' },
  Glob: { means: isNamed('files.find', 'files.glob'), effect: 'read' },
  LS: { means: isNamed('files.list'), effect: 'read' },
  Edit: { means: writesFiles, effect: 'write' },
  MultiEdit: { means: writesFiles, effect: 'write' },
  NotebookEdit: { means: writesFiles, effect: 'write' },
  Write: { means: writesFiles, effect: 'write' },
  WebFetch: { means: isNamed('http.fetch', 'web.fetch'), effect: 'hosts' },
  WebSearch: { means: isNamed('web.search'), effect: undefined },
}

const folded = new Map(Object.entries(agentToolNames).map(([name, meaning]) => [foldName(name), meaning]))

/** An allow must write the name exactly; in a deny or ask, `bash` and `BASH` mean `Bash`. */
export function agentToolName({
  tool,
  behavior,
}: Pick<Rule, 'tool' | 'behavior'>): AgentToolName | undefined {
  if (behavior !== 'allow') return folded.get(foldName(tool))
  return Object.hasOwn(agentToolNames, tool) ? agentToolNames[tool] : undefined
}

/** Toolcrib's own names for file and web tools: path and domain rules with them are about the effect, not only the tool. */
const effectTools: Readonly<Record<'read' | 'write' | 'hosts', readonly string[]>> = {
  read: ['files.read', 'files.search', 'files.grep', 'files.find', 'files.list'],
  write: ['files.write', 'files.edit', 'files.delete', 'files.move'],
  hosts: ['http.fetch', 'web.fetch'],
}

/** The effects that a rule with this tool name and a path or a domain is about, with any tool. */
export function effectsOf(rule: Pick<Rule, 'tool' | 'behavior'>): ('read' | 'write' | 'hosts')[] {
  const known = agentToolName(rule)
  if (known) return known.effect ? [known.effect] : []
  const { test } = toNameTest(rule.behavior === 'allow' ? rule.tool : foldName(rule.tool))
  return (['read', 'write', 'hosts'] as const).filter((effect) => effectTools[effect].some(test))
}
