import { OWN_SOURCE } from '../../catalog/name-index.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import type { Crib } from '../../crib/crib.js'
import { toInterface } from '../../catalog/records/to-profiles.js'
import type { ToolDeclaration } from '../../contract/objects/tool-declaration.js'
import { factOrigins, lifecycleStates } from '../../contract/unions.js'
import { toolState, toolStates } from '../../surfaces/tool-state.js'
import { shape, text } from './shapes.js'

const FACTS = [
  'is_read_only',
  'is_destructive',
  'is_open_world',
  'is_concurrency_safe',
  'requires_user_interaction',
] as const

const fact = { enum: [true, false, 'depends'] } as const

export const toolSummaryProperties = {
  tool_id: text,
  name: { type: 'string', description: 'Qualified.' },
  title: text,
  description: text,
  kind: text,
  source: { type: 'string', description: 'The source of the tool.' },
  is_own: { type: 'boolean', description: 'Toolcrib has it to find, call and read others.' },
  fingerprint: text,
  lifecycle: { enum: lifecycleStates },
  state: { enum: toolStates },
  problem: { type: 'string', description: 'Why it is not ready.' },
  facts: shape(
    {
      ...Object.fromEntries(FACTS.map((name) => [name, fact])),
      origins: { type: 'object', additionalProperties: { enum: factOrigins } },
    },
    [...FACTS, 'origins'],
  ),
  tokens: { type: 'integer', description: 'In a prompt.' },
} as const

export const toolSummaryRequired = [
  'tool_id',
  'name',
  'description',
  'kind',
  'source',
  'fingerprint',
  'lifecycle',
  'state',
  'facts',
] as const

export const toolNameSchema = { ...text, description: 'The qualified name of the tool, for people.' }

/** The name that people know a tool by; its id once it is gone. */
export function toolNameOf(crib: Pick<Crib, 'tool'>, toolId: string): string {
  return crib.tool(toolId)?.qualifiedName ?? toolId
}

export const toolSummarySchema = shape(toolSummaryProperties, toolSummaryRequired)

/** A tool in a list. The declaration is without secrets. */
export function toToolSummary(
  tool: CatalogTool,
  { title, description }: Pick<ToolDeclaration, 'title' | 'description'>,
): Record<string, unknown> {
  const { toolId, qualifiedName, source, fingerprint, draft, prepared } = tool
  const { state, problem } = toolState(tool)
  return {
    tool_id: toolId,
    name: qualifiedName,
    title,
    description,
    kind: draft.kind,
    source,
    is_own: source === OWN_SOURCE,
    fingerprint,
    lifecycle: draft.lifecycle,
    state,
    problem,
    facts: factsOf(tool),
    tokens: prepared.promptTokens,
  }
}

/** What a fact depends on has a name in the record; here it only depends. */
function factsOf(tool: CatalogTool): Record<string, unknown> {
  const record = toInterface(tool) as Record<string, unknown>
  const { origins = {} } = (record['toolcrib'] ?? {}) as { origins?: Record<string, unknown> }
  const values = FACTS.map((name) => [name, typeof record[name] === 'boolean' ? record[name] : 'depends'])
  return {
    ...Object.fromEntries(values),
    origins: Object.fromEntries(FACTS.map((name) => [name, origins[name] ?? 'default'])),
  }
}
