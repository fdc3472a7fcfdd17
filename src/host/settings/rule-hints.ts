import { nearestWord } from '../../platform/config/nearest-word.js'
import type { ConfigProblem } from '../../platform/config/describe-problem.js'
import { agentToolName } from '../../policy/rules/agent-tool-names.js'
import { isKnownTool, knownToolNames } from '../../policy/rules/known-tools.js'
import { readSpecifier } from '../../policy/rules/read-specifier.js'
import type { Rule } from '../../policy/rules/rule.js'
import { isServerName } from '../../policy/rules/server-names.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { toRuleTool } from '../../catalog/records/to-rule-tool.js'

export interface HintContext {
  readonly catalog: Catalog
  readonly home: string
  /** Whether the catalog has all tools; otherwise only names that nearly match a known one are reported. */
  readonly isWhole: boolean
}

/** Rules that are valid but match nothing here: they would silently protect nothing. */
export function ruleHints(rules: readonly Rule[], place: HintContext): ConfigProblem[] {
  return rules.flatMap((rule) => {
    const hint = isCheckable(rule) ? hintFor(rule, place) : undefined
    if (hint === undefined) return []
    const file = rule.file ?? 'the rules'
    const message = `the ${rule.behavior} rule "${rule.text}": ${hint}`
    return [{ file, ...(rule.line !== undefined && { line: rule.line }), message }]
  })
}

/** A pattern, a server or a name of another agent may mean something that is not loaded yet. */
function isCheckable(rule: Rule): boolean {
  const { tool, problem } = rule
  if (problem !== undefined || tool.includes('*') || isServerName(tool)) return false
  return !agentToolName(rule) && !isKnownTool(tool)
}

function hintFor(rule: Rule, { catalog, home, isWhole }: HintContext): string | undefined {
  const tool = catalog.find(rule.tool)
  if (!tool) {
    const names = catalog.list().flatMap(({ toolId, draft }) => [toolId, draft.name, ...draft.aliases])
    const near = nearestWord(rule.tool, [...knownToolNames, ...names])
    return near === undefined && !isWhole ? undefined : `no tool here is called "${rule.tool}"${asked(near)}`
  }
  const ruleTool = toRuleTool(tool, catalog.find)
  const { paths, urls, command } = ruleTool.fields
  const specifier = readSpecifier(rule, ruleTool, home)
  switch (specifier.kind) {
    case 'path':
      return paths.length > 0 || command ? undefined : lacks(tool, 'path', 'paths')
    case 'host':
    case 'url':
      return urls.length > 0 || command ? undefined : lacks(tool, 'URL', 'urls')
    case 'arguments':
      return strayArgument(
        tool,
        specifier.conditions.map(({ field }) => field),
      )
    case 'all':
    case 'never':
      return rule.specifier === undefined || rule.specifier.startsWith('operation:')
        ? undefined
        : `the text in its brackets has no meaning for ${tool.toolId}`
    case 'command':
      return undefined
  }
}

const lacks = ({ toolId }: CatalogTool, what: string, option: string): string =>
  `${toolId} declares no ${what} among its arguments ("${option}"), so it never applies`

function strayArgument({ toolId, draft }: CatalogTool, fields: readonly string[]): string | undefined {
  const properties = draft.input.modelSchema['properties']
  const known = Object.keys(typeof properties === 'object' && properties !== null ? properties : {})
  const stray = known.length === 0 ? undefined : fields.find((field) => !known.includes(field.split('.')[0]!))
  return stray === undefined
    ? undefined
    : `${toolId} has no argument "${stray}"${asked(nearestWord(stray, known))}`
}

const asked = (near: string | undefined): string => (near === undefined ? '' : `; did you mean "${near}"?`)
