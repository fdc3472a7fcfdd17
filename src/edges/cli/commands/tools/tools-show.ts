import type { ToolExecutionProfile } from '../../../../contract/objects/tool-execution-profile.js'
import type { ToolPermissionProfile } from '../../../../contract/objects/tool-permission-profile.js'
import type { CatalogTool } from '../../../../catalog/catalog-tool.js'
import { factNames, isReadFact } from '../../../../catalog/facts.js'
import { toDeclaration } from '../../../../catalog/records/to-declaration.js'
import {
  toExecutionProfile,
  toInterface,
  toPermissionProfile,
} from '../../../../catalog/records/to-profiles.js'
import type { ExitCode, Given } from '../../program/command.js'
import { describeSchema, type FieldRow } from '../../tools/describe-schema.js'
import { findTool } from '../../tools/find-tool.js'
import { cutText, fitText, widthOf, wrapText } from '../../terminal/fit-text.js'
import { loadListedToolsOrStop } from '../../tools/load-listed-tools.js'
import { redactorFor } from '../../../../host/redactor-for.js'
import { oneLine } from '../../../../platform/text/printable.js'
import type { Terminal } from '../../terminal/terminal.js'
import { setupProblemOf } from '../../../../catalog/setup-problem-of.js'
import type { LifecycleState } from '../../../../contract/unions.js'
import { usageProblem } from '../../program/usage-problem.js'
import { factWords } from '../../tools/short-facts.js'

/** Levels of objects inside objects that are shown. */
const INNER_LEVELS = 2

/** States of a tool that its records and its availability do not say. */
const LIFECYCLES: Partial<Record<LifecycleState, string>> = {
  draft: 'draft: it cannot be called until its status is active',
  disabled: 'disabled: it cannot be called',
  deprecated: 'deprecated: it can be called, and is not listed for models that did not use it before',
  retired: 'retired: it cannot be called',
}

export async function run({ arguments: [name = ''], options }: Given, plain: Terminal): Promise<ExitCode> {
  const { catalog, config, secrets, whyMissing } = await loadListedToolsOrStop(options, plain, { tool: name })
  if (whyMissing !== undefined) throw usageProblem(whyMissing)
  const redactor = redactorFor(config, secrets)
  const terminal: Terminal = { ...plain, print: (line) => plain.print(redactor.text(line)) }
  const tool = findTool(catalog, name)
  if (options.json) {
    const records = {
      declaration: toDeclaration(tool),
      interface: toInterface(tool),
      execution_profile: toExecutionProfile(tool),
      permission_profile: toPermissionProfile(tool),
      fingerprint: tool.fingerprint,
    }
    terminal.printJson(redactor.value(records), 2)
    return 0
  }
  const { draft } = tool
  const { style } = terminal
  terminal.print(style.bold(oneLine(draft.title ? `${tool.toolId}: ${draft.title}` : tool.toolId)))
  for (const line of wrapText(oneLine(redactor.text(draft.description)), terminal.columns))
    terminal.print(line)
  const problem = setupProblemOf(draft.availability)
  if (problem) section('Blocked', [oneLine(problem.message)], terminal)
  const lifecycle = LIFECYCLES[draft.lifecycle]
  if (lifecycle !== undefined) section('Lifecycle', [lifecycle], terminal)
  section('Names', [namesOf(tool)], terminal)
  if (draft.externalMappings.length > 0)
    section('In its own protocol', draft.externalMappings.map(mappingLine), terminal)
  section(
    'Input',
    fieldLines(
      describeSchema(draft.input.modelSchema, {
        sensitive: draft.input.sensitiveFields,
        levels: INNER_LEVELS,
      }),
      terminal,
    ),
    terminal,
  )
  if (draft.output.schema) {
    section('Output', fieldLines(describeSchema(draft.output.schema), terminal), terminal)
  }
  section('Results', resultLines(draft.output), terminal)
  section('Facts', factLines(tool), terminal)
  section('Execution', executionLines(toExecutionProfile(tool)), terminal)
  section('Permission', permissionLines(toPermissionProfile(tool)), terminal)
  section('Fingerprint', [tool.fingerprint], terminal)
  return 0
}

function section(title: string, lines: readonly string[], terminal: Terminal): void {
  terminal.print('')
  terminal.print(terminal.style.bold(title))
  for (const line of lines.length > 0 ? lines : ['none']) {
    const [first, ...rest] = wrapText(line.trimEnd(), terminal.columns - 2)
    // A table row keeps its columns; only running text is wrapped.
    terminal.print(`  ${line.includes('  ') ? cutText(line.trimEnd(), terminal.columns - 2) : first}`)
    if (!line.includes('  ')) for (const more of rest) terminal.print(`  ${more}`)
  }
}

function namesOf({ toolId, qualifiedName, providerName, source, draft }: CatalogTool): string {
  const names = [...new Set([toolId, qualifiedName, providerName, ...draft.aliases, draft.name])]
  return oneLine(`${names.join(', ')} (from ${source}${draft.version ? `, version ${draft.version}` : ''})`)
}

/** `openapi: server_id shop, operation_id listOrders, method GET, …` */
function mappingLine({ source, ...rest }: CatalogTool['draft']['externalMappings'][number]): string {
  const pairs = Object.entries(rest).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return oneLine(`${source}: ${pairs.join(', ')}`)
}

function fieldLines(fields: readonly FieldRow[], { columns }: Terminal): string[] {
  const widest = (key: 'name' | 'type' | 'need'): number =>
    Math.min(Math.floor(columns / 4), Math.max(0, ...fields.map((field) => widthOf(oneLine(field[key])))))
  const [name, type, need] = [widest('name'), widest('type'), widest('need')]
  return fields.map((field) =>
    [
      fitText(oneLine(field.name), name),
      fitText(oneLine(field.type), type),
      fitText(oneLine(field.need), need),
      oneLine(field.description),
    ].join('  '),
  )
}

/** What the tool declares for its results; defaults come from the surface and the crib. */
function resultLines(output: CatalogTool['draft']['output']): string[] {
  const { maxInlineChars, maxInlineLines, maxInlineTokens, persistence, mediaType, artifacts } = output
  const limits = [
    ...(maxInlineChars === undefined ? [] : [`${maxInlineChars} characters`]),
    ...(maxInlineLines === undefined ? [] : [`${maxInlineLines} lines`]),
    ...(maxInlineTokens === undefined ? [] : [`${maxInlineTokens} tokens`]),
  ]
  const { min = 1, mediaTypes = [], names = [] } = artifacts ?? {}
  const promise = [
    `promises at least ${min} ${min === 1 ? 'artifact' : 'artifacts'}`,
    ...(mediaTypes.length > 0 ? [`of the type ${mediaTypes.join(' or ')}`] : []),
    ...(names.length > 0 ? [`named ${names.join(', ')}`] : []),
  ]
  return [
    `shown up to ${limits.join(', ') || 'the limits of the surface and the crib'}`,
    `persistence ${persistence ?? 'as the surface or the crib says'}`,
    ...(mediaType === undefined ? [] : [oneLine(`media type ${mediaType}`)]),
    ...(artifacts ? [oneLine(promise.join(' '))] : []),
  ]
}

function factLines({ draft, facts }: CatalogTool): string[] {
  const known = facts({})
  return factNames.map((name) => {
    const depends = typeof draft.facts[name] === 'function' || isReadFact(draft, name)
    const value = depends ? 'it depends' : known[name] ? 'yes' : 'no'
    const origin = depends ? 'inferred from each input' : known.origins[name]
    return `${factWords[name].padEnd(28)}  ${value.padEnd(10)}  ${origin}`
  })
}

const CAN: readonly [keyof ToolExecutionProfile, string][] = [
  ['supports_progress', 'progress'],
  ['supports_partial_results', 'partial results'],
  ['supports_cancel', 'cancel'],
  ['supports_timeout', 'time-out'],
  ['supports_resume', 'resume'],
  ['supports_retries', 'retries'],
  ['supports_background', 'background'],
  ['supports_result_persistence', 'result persistence'],
  ['supports_artifacts', 'artifacts'],
  ['sandboxed', 'sandbox'],
  ['supports_credential_delegation', 'credential delegation'],
  ['supports_offline', 'offline'],
  ['supports_context_modifiers', 'context modifiers'],
]

function executionLines(profile: ToolExecutionProfile): string[] {
  const can = CAN.filter(([field]) => profile[field] === true).map(([, word]) => word)
  const cannot = CAN.filter(([field]) => profile[field] !== true).map(([, word]) => word)
  return [
    `kind ${profile.execution_kind}; time-out ${profile.timeout_ms === undefined ? 'as the crib says' : `${profile.timeout_ms} ms`}`,
    `supports ${can.join(', ') || 'nothing more'}`,
    `not ${cannot.join(', ')}`,
    ...(profile.toolcrib?.['cancel'] === undefined
      ? []
      : ['a cancellation is passed on to the server, which need not obey it']),
  ]
}

function permissionLines(profile: ToolPermissionProfile): string[] {
  const { schema_version: _, permission_profile_id: __, toolcrib, risk_level: risk, ...rest } = profile
  const origins = (toolcrib?.['origins'] ?? {}) as Record<string, string>
  return [
    `risk ${risk} (${origins['risk_level'] ?? 'declared'})`,
    ...Object.entries(rest).map(([field, value]) =>
      oneLine(`${field.replaceAll('_', ' ')} ${typeof value === 'string' ? value : JSON.stringify(value)}`),
    ),
  ]
}
