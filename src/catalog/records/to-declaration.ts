import type { JsonSchema } from '../../contract/json-schema.js'
import type { ToolDeclaration } from '../../contract/objects/tool-declaration.js'
import type { ToolInputContract } from '../../contract/objects/tool-input-contract.js'
import type { ToolOutputContract } from '../../contract/objects/tool-output-contract.js'
import { SCHEMA_VERSION } from '../../contract/unions.js'
import { withoutUndefined } from '../../platform/json/without-undefined.js'
import type { ArtifactExpectations } from '../new-artifact.js'
import { persistencePolicyRef, type PersistencePolicy } from './persistence-policy.js'
import type { ToolDefaults } from '../tool-defaults.js'
import type { DraftOutput, ToolDraft } from '../tool-draft.js'

export interface NamedDraft {
  readonly toolId: string
  readonly providerName: string
  readonly source: string
  readonly draft: ToolDraft
  /** The crib's defaults for what the tool does not state. */
  readonly defaults?: ToolDefaults | undefined
}

/** The standard's record of a callable tool. */
export function toDeclaration({ toolId, providerName, source, draft }: NamedDraft): ToolDeclaration {
  return withoutUndefined({
    schema_version: SCHEMA_VERSION,
    tool_id: toolId,
    namespace: draft.namespace,
    name: draft.name,
    aliases: draft.aliases.length > 0 ? [...draft.aliases] : undefined,
    search_hint: draft.searchHint,
    title: draft.title,
    description: draft.description,
    lifecycle: draft.lifecycle,
    tool_kind: draft.kind,
    capability_refs: draft.capabilityRefs.length > 0 ? [...draft.capabilityRefs] : undefined,
    input_contract: toInputContract(draft),
    output_contract: toOutputContract(draft),
    interface_ref: `tool_interface:${toolId}`,
    execution_profile_ref: `execution_profile:${toolId}`,
    permission_profile_ref: `permission_profile:${toolId}`,
    external_mappings: [...draft.externalMappings],
    annotations: draft.annotations,
    toolcrib: withoutUndefined({
      source,
      provider_name: providerName,
      version: draft.version,
      use_guidance: draft.useGuidance,
    }),
  })
}

/**
 * Whether the arguments must match the schema exactly. Unstated for definitions of a protocol that has no such member.
 */
export function strictOf({ input, native }: ToolDraft): boolean | undefined {
  return input.strict ?? (native === undefined ? true : undefined)
}

function toInputContract(draft: ToolDraft): ToolInputContract {
  const { input } = draft
  const strict = strictOf(draft)
  return withoutUndefined({
    model_input_schema: { ...input.modelSchema },
    runtime_input_schema: input.runtimeSchema && { ...input.runtimeSchema },
    strict,
    sensitive_fields: input.sensitiveFields.length > 0 ? [...input.sensitiveFields] : undefined,
    internal_only_fields: input.internalOnlyFields.length > 0 ? [...input.internalOnlyFields] : undefined,
    defaults: defaultsOf(input.modelSchema),
    examples: input.examples.length > 0 ? [...input.examples] : undefined,
    argument_mode: input.argumentMode,
    mutation_policy: input.mutationPolicy,
    toolcrib: { defaulted: input.strict === undefined && strict !== undefined ? ['strict'] : [] },
  })
}

function toOutputContract({ output }: ToolDraft): ToolOutputContract | undefined {
  if (!saysSomething(output)) return undefined
  return withoutUndefined({
    structured_schema: output.schema && { ...output.schema },
    artifact_expectations: output.artifacts && toExpectations(output.artifacts),
    max_inline_chars: output.maxInlineChars,
    persistence_policy_ref: output.persistence && persistencePolicyRef(declaredPolicy(output)!),
    redaction_rules: output.sensitiveFields?.map((field) => ({ field, action: 'mask' })),
    toolcrib: ownLimits(output),
    rendering_boundary: {
      model_facing: output.toModel ? 'tool' : 'runtime',
      ui_facing: output.toUi ? 'tool' : 'runtime',
      transcript: output.transcriptText ? 'tool' : 'runtime',
    },
  })
}

/** The tool's own policy for its results; surface and crib may add to it. */
export function declaredPolicy(output: DraftOutput): PersistencePolicy | undefined {
  const { persistence: strategy, maxInlineChars, maxInlineLines, maxInlineTokens } = output
  if (strategy === undefined) return undefined
  return withoutUndefined({
    strategy,
    max_inline_chars: maxInlineChars,
    max_inline_lines: maxInlineLines,
    max_inline_tokens: maxInlineTokens,
  })
}

function saysSomething({
  schema,
  maxInlineChars,
  persistence,
  sensitiveFields,
  artifacts,
  ...rest
}: DraftOutput): boolean {
  const said = schema ?? maxInlineChars ?? persistence ?? sensitiveFields ?? artifacts ?? ownLimits(rest)
  return said !== undefined
}

function toExpectations({ min = 1, mediaTypes, names }: ArtifactExpectations): Record<string, unknown> {
  return withoutUndefined({ min, media_types: mediaTypes && [...mediaTypes], names: names && [...names] })
}

function ownLimits({
  maxInlineLines: max_inline_lines,
  maxInlineTokens: max_inline_tokens,
  mediaType: media_type,
}: DraftOutput): Record<string, unknown> | undefined {
  const own = withoutUndefined({ max_inline_lines, max_inline_tokens, media_type })
  return Object.keys(own).length > 0 ? own : undefined
}

function defaultsOf({ properties }: JsonSchema): Record<string, unknown> | undefined {
  if (typeof properties !== 'object' || properties === null) return undefined
  const found = Object.entries(properties).filter(
    ([, property]) => typeof property === 'object' && property !== null && 'default' in property,
  )
  if (found.length === 0) return undefined
  return Object.fromEntries(
    found.map(([name, property]) => [name, (property as { default: unknown }).default]),
  )
}
