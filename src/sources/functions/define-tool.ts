import type {
  DraftOutput,
  DraftAvailability,
  LockRule,
  PathField,
  ToolDraft,
  ValueCheck,
} from '../../catalog/tool-draft.js'
import { createDraft } from '../../catalog/create-draft.js'
import { checkExitCode, checkFields, checkToolOptions } from './check-tool-options.js'
import type { JsonSchema } from '../../contract/json-schema.js'
import type { FunctionTool } from './function-tool.js'
import { describesField, findInternalFields } from './internal-fields.js'
import {
  stateSchema,
  type InputOf,
  type ModelInputOf,
  type OutputOf,
  type SchemaForm,
  type StatedSchema,
} from './schema-form.js'
import type { StructuredOutput } from './structured-output.js'
import type { Execute, ToolDescription } from './tool-options.js'

const NONE: readonly string[] = Object.freeze([])
const REPORTS = Object.freeze(['progress', 'partial_results'] as const)
const NO_INPUT: StatedSchema = { jsonSchema: { type: 'object' }, vendor: 'json-schema' }

/**
 * Defines a tool from a function. The output schema, or else the function's return type, types the results of its
 * calls.
 */
export function defineTool<
  const Input extends SchemaForm,
  const Output extends SchemaForm = never,
  Returned extends OutputOf<Output> = OutputOf<Output>,
>(
  options: ToolDescription<Input, Output> & { execute: Execute<InputOf<Input>, Returned> },
): FunctionTool<
  ModelInputOf<Input>,
  StructuredOutput<[Output] extends [never] ? Returned : OutputOf<Output>>
> {
  const where = checkToolOptions(options)
  const input = options.input ? stateSchema(options.input, 'input') : NO_INPUT
  const output = options.output ? stateSchema(options.output, 'output') : undefined
  const internalOnlyFields = options.runtimeInput ? findInternalFields(options.runtimeInput.jsonSchema) : NONE
  checkLeaks(where, input.jsonSchema, internalOnlyFields)
  checkFields(where, options, [input.jsonSchema, options.runtimeInput?.jsonSchema])
  checkExitCode(where, options, output?.jsonSchema)
  return createDraft({
    namespace: options.namespace ?? 'local',
    name: options.name,
    toolId: options.toolId,
    aliases: options.aliases,
    title: options.title,
    description: options.description,
    searchHint: options.searchHint,
    useGuidance: options.useGuidance,
    version: options.version,
    lifecycle: options.lifecycle,
    kind: options.kind ?? 'function',
    capabilityRefs: options.capabilityRefs,
    annotations: options.annotations,
    externalMappings: options.externalMappings ?? [{ source: 'function', function_name: options.name }],
    input: {
      modelSchema: input.jsonSchema,
      runtimeSchema: options.runtimeInput?.jsonSchema,
      validate: input.validate,
      vendor: input.vendor,
      strict: options.strict,
      sensitiveFields: options.sensitiveFields,
      internalOnlyFields,
      examples: options.examples,
      mutationPolicy: options.mutationPolicy,
      argumentMode: options.argumentMode,
      pathFields: options.paths && pathFieldsOf(options.paths),
      urlFields: options.urls,
      refs: options.refs,
      sandboxOverrideField: options.sandboxOverride,
      commandField: typeof options.command === 'string' ? { field: options.command } : options.command,
    },
    output: outputOf(options, output),
    facts: factsOf(options),
    reach: { runs: 'in_process', hosts: options.hosts },
    classifierInput: options.classifierInput,
    permission: options.permission,
    permissionMatcher: options.permissionMatcher,
    availability: availabilityOf(options),
    execution: {
      kind: options.executionKind ?? 'embedded_runtime',
      timeoutMs: options.timeoutMs,
      retries: options.retries,
      interruptBehavior: options.interruptBehavior,
      contextModifierPolicy: options.contextModifierPolicy,
      sandboxProfile: options.sandboxProfile,
      isIdempotent: options.isIdempotent,
      maxParallel: options.maxParallel,
      supports: options.supports ?? REPORTS,
    },
    rendering: options.rendering,
    denyBeforeIo: options.denyBeforeIo,
    validateValues: options.validate as ValueCheck | undefined,
    preflight: options.preflight as ValueCheck | undefined,
    locks: options.locks as LockRule | undefined,
    execute: options.execute,
  })
}

function pathFieldsOf(paths: Readonly<Record<string, PathField['access']>>): PathField[] {
  return Object.entries(paths).map(([field, access]) => ({ field, access }))
}

function factsOf<Input extends SchemaForm, Output extends SchemaForm>(
  options: ToolDescription<Input, Output>,
): ToolDraft['facts'] {
  return {
    is_read_only: options.isReadOnly,
    is_destructive: options.isDestructive,
    is_open_world: options.isOpenWorld,
    is_concurrency_safe: options.isConcurrencySafe,
    requires_user_interaction: options.requiresUserInteraction,
    requires_exclusive_context: options.requiresExclusiveContext,
  }
}

function availabilityOf<Input extends SchemaForm, Output extends SchemaForm>(
  options: ToolDescription<Input, Output>,
): DraftAvailability {
  return {
    isEnabled: options.isEnabled,
    setupProblem: options.requiresSetup,
    pendingProvider: options.pendingProvider,
    requiredCredentials: options.requiredCredentials,
    modelRequirements: options.modelRequirements,
    featureGates: options.featureGates,
    roles: options.roles,
    platforms: options.platforms,
    workspaces: options.workspaces,
    skills: options.skills,
    isRecursive: options.isRecursive,
    shouldDefer: options.shouldDefer,
    alwaysLoad: options.alwaysLoad,
  }
}

/** Fields that only the runtime fills in must not be in the schema that the model sees. */
function checkLeaks(where: string, schema: JsonSchema, internalOnlyFields: readonly string[]): void {
  const leaked = [
    ...findInternalFields(schema),
    ...internalOnlyFields.filter((path) => describesField(schema, path)),
  ]
  if (leaked.length === 0) return
  throw new TypeError(
    `${where} shows the model the internal field ${leaked.map((field) => `"${field}"`).join(', ')}; ` +
      'move it from "input" to "runtimeInput".',
  )
}

function outputOf<Input extends SchemaForm, Output extends SchemaForm>(
  options: ToolDescription<Input, Output>,
  output: StatedSchema | undefined,
): DraftOutput {
  return {
    schema: output?.jsonSchema,
    validate: output?.validate,
    exitCode: options.exitCode,
    maxInlineChars: options.maxInlineChars,
    maxInlineLines: options.maxInlineLines,
    maxInlineTokens: options.maxInlineTokens,
    persistence: options.persistence,
    mediaType: options.mediaType,
    sensitiveFields: options.sensitiveOutputFields?.length ? options.sensitiveOutputFields : undefined,
    artifacts: options.artifacts,
    toModel: options.toModel,
    toUi: options.toUi,
    transcriptText: options.transcriptText,
  }
}
