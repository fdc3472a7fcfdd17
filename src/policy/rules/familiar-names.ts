import { foldName } from './fold-name.js'
import { toNameTest } from './name-test.js'
import type { Rule } from './rule.js'
import type { RuleTool } from './rule-tool.js'

/** What a familiar name of coding agents means here: a kind of tool, whatever it is called. */
interface Familiar {
  readonly means: (tool: RuleTool, names: readonly string[]) => boolean
  /** Which effects on paths and hosts a deny or ask under this name forbids, whichever tool has them. */
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

const familiar: Readonly<Record<string, Familiar>> = {
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

const folded = new Map(Object.entries(familiar).map(([name, meaning]) => [foldName(name), meaning]))

/** An allow must write the name as it is; of a deny or ask, `bash` and `BASH` mean what `Bash` means. */
export function familiarName({ tool, behavior }: Pick<Rule, 'tool' | 'behavior'>): Familiar | undefined {
  if (behavior !== 'allow') return folded.get(foldName(tool))
  return Object.hasOwn(familiar, tool) ? familiar[tool] : undefined
}

/** Our own tools for files and the web: their path and domain rules speak of the effect, not only of the tool. */
const effectTools: Readonly<Record<'read' | 'write' | 'hosts', readonly string[]>> = {
  read: ['files.read', 'files.search', 'files.grep', 'files.find', 'files.list'],
  write: ['files.write', 'files.edit', 'files.delete', 'files.move'],
  hosts: ['http.fetch', 'web.fetch'],
}

/** Which effects a rule about this tool, with a path or a domain, forbids wherever they occur. */
export function effectsOf(rule: Pick<Rule, 'tool' | 'behavior'>): ('read' | 'write' | 'hosts')[] {
  const known = familiarName(rule)
  if (known) return known.effect ? [known.effect] : []
  const { test } = toNameTest(rule.behavior === 'allow' ? rule.tool : foldName(rule.tool))
  return (['read', 'write', 'hosts'] as const).filter((effect) => effectTools[effect].some(test))
}
