import type { JsonSchema } from '../../contract/json-schema.js'
import type { ToolExternalMapping } from '../../contract/objects/tool-external-mapping.js'
import type {
  ArgumentMode,
  ContextModifierPolicy,
  ExecutionKind,
  InterruptBehavior,
  LifecycleState,
  MutationPolicy,
  PersistenceStrategy,
  ToolKind,
} from '../../contract/unions.js'
import type {
  CommandField,
  DraftAvailability,
  DraftRendering,
  LockRule,
  PathField,
  ResourceKey,
  PermissionFacts,
  RefUse,
  SupportedCapability,
  ToolDraft,
  ValueCheck,
  ValueVerdict,
} from '../../catalog/tool-draft.js'
import type { ExecuteContext, ProgressUpdate } from '../../catalog/execute-context.js'
import type { ArtifactExpectations } from '../../catalog/new-artifact.js'
import type { Retries } from '../../catalog/retries.js'
import type { PartialOutput } from '../../catalog/tool-output.js'
import { checkExitCode, checkFields, checkToolOptions } from './check-tool-options.js'
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

type Fact<Input> = boolean | ((input: Input) => boolean)
type Check<Input> = (input: Input) => ValueVerdict | Promise<ValueVerdict>
type Step = ProgressUpdate | PartialOutput | string

/** What an author says of a tool. Only the name, the description and the executor are needed. */
export interface ToolOptions<Input extends SchemaForm, Output extends SchemaForm> extends Omit<
  DraftAvailability,
  'setupProblem'
> {
  namespace?: string
  name: string
  toolId?: string
  aliases?: readonly string[]
  title?: string
  /** For the model: when to use the tool, and when not. */
  description: string
  /** Three to ten words to find it by. */
  searchHint?: string
  /** When to use it and when not: found by search, and not part of every prompt. */
  useGuidance?: string
  /** Enters the fingerprint: raise it when the behaviour changes though the schema does not. */
  version?: string
  lifecycle?: LifecycleState
  kind?: ToolKind
  capabilityRefs?: readonly string[]
  annotations?: Record<string, unknown>
  externalMappings?: readonly ToolExternalMapping[]

  input?: Input
  /** The executor's own schema where it takes fields that the model must not produce. Plain JSON Schema. */
  runtimeInput?: { jsonSchema: JsonSchema }
  output?: Output
  strict?: boolean
  /** Dotted paths of fields that are masked from the first record on; `*` stands for every element. */
  sensitiveFields?: readonly string[]
  examples?: readonly unknown[]
  mutationPolicy?: MutationPolicy
  argumentMode?: ArgumentMode
  /** Fields that hold paths. Rules about paths look at them. */
  paths?: Readonly<Record<string, 'read' | 'write'>>
  /** Fields that hold URLs. Rules about domains look at them. */
  urls?: readonly string[]
  /** The field that holds a shell command. It is read, and facts that are not declared are found out from it. */
  command?: string | CommandField
  /**
   * The place of the output, as a dotted path, that holds the exit code of the command: one that is a failure makes the
   * result one, and one that is an answer does not.
   */
  exitCode?: string
  /** The field by which a call asks to run outside the sandbox. A person decides about it each time. */
  sandboxOverride?: string

  isReadOnly?: Fact<InputOf<Input>>
  isDestructive?: Fact<InputOf<Input>>
  isOpenWorld?: Fact<InputOf<Input>>
  isConcurrencySafe?: Fact<InputOf<Input>>
  requiresUserInteraction?: Fact<InputOf<Input>>
  requiresExclusiveContext?: Fact<InputOf<Input>>
  classifierInput?: (input: InputOf<Input>) => string
  permission?: PermissionFacts
  permissionMatcher?: string

  /** What is missing before the tool can be used; nothing when it is ready. */
  requiresSetup?: () => string | undefined

  validate?: Check<InputOf<Input>>
  preflight?: Check<InputOf<Input>>
  /** On unless switched off: a call that would be denied is denied before `preflight` can leak what exists. */
  denyBeforeIo?: boolean

  executionKind?: ExecutionKind
  /** For one attempt. */
  timeoutMs?: number
  /**
   * How often a failed attempt is followed by another: where the tool is idempotent or only reads, or the failure says
   * that nothing happened.
   */
  retries?: Retries
  interruptBehavior?: InterruptBehavior
  contextModifierPolicy?: ContextModifierPolicy
  sandboxProfile?: string
  /** Whether a second call with the same input changes nothing more. */
  isIdempotent?: boolean
  /** How many calls of the tool may run at once. */
  maxParallel?: number
  /**
   * All that calls of the tool can collide over: `paths` for its path fields, a list of keys, or a function of the
   * input. Calls whose locks do not meet may then run side by side, and no other process runs one that does.
   */
  locks?: 'paths' | readonly ResourceKey[] | ((input: InputOf<Input>) => readonly ResourceKey[])
  supports?: readonly SupportedCapability[]

  /** What the model receives of an output: a text, or anything that becomes JSON. */
  toModel?: (output: OutputOf<Output>) => unknown
  /** One line for people. */
  toUi?: (output: OutputOf<Output>) => string
  transcriptText?: (output: OutputOf<Output>) => string
  /**
   * What the executor gets where an argument is a ref to a kept result (`toolcrib://…`): its `content`, the path of a
   * `file`, or `keep` for the ref itself; for all fields, or by field. Content, and files where a path is read, unless
   * said.
   */
  refs?: RefUse | Readonly<Record<string, RefUse>>
  /** Results that are longer become a preview with a ref to the whole. */
  maxInlineChars?: number
  maxInlineLines?: number
  /** As the tokenizer `o200k_base` counts them. */
  maxInlineTokens?: number
  /**
   * What becomes of results: `never_persist` for what must not be kept or bounds itself, `ref_only` for what is never
   * shown whole, and the others as `crib.surface` takes them. A surface cannot keep what its tool forbids.
   */
  persistence?: PersistenceStrategy
  /** Of a text, bytes or a stream that the tool returns: `text/csv`, `image/png`. */
  mediaType?: string
  /** Places of the output, as dotted paths, that are masked before anybody gets it. */
  sensitiveOutputFields?: readonly string[]
  /** What a call that succeeds has to deliver (`toolOutput({ artifacts })`). What is missing makes it a partial success. */
  artifacts?: ArtifactExpectations
  rendering?: DraftRendering

  /** Plain, async, or an async generator whose yields are progress or partial results. */
  execute: (
    input: InputOf<Input>,
    context: ExecuteContext,
  ) => OutputOf<Output> | Promise<OutputOf<Output>> | AsyncGenerator<Step, OutputOf<Output>, void>
}

const NO_INPUT: StatedSchema = { jsonSchema: { type: 'object' }, vendor: 'json-schema' }

/** A tool made of a function. */
export function defineTool<const Input extends SchemaForm, const Output extends SchemaForm = never>(
  options: ToolOptions<Input, Output>,
): FunctionTool<ModelInputOf<Input>, OutputOf<Output>> {
  const where = checkToolOptions(options)
  const input = options.input ? stateSchema(options.input, 'input') : NO_INPUT
  const output = options.output ? stateSchema(options.output, 'output') : undefined
  const internalOnlyFields = options.runtimeInput ? findInternalFields(options.runtimeInput.jsonSchema) : []
  const leaked = [
    ...findInternalFields(input.jsonSchema),
    ...internalOnlyFields.filter((path) => describesField(input.jsonSchema, path)),
  ]
  if (leaked.length > 0) {
    throw new TypeError(
      `${where} shows the model the internal field ${leaked.map((field) => `"${field}"`).join(', ')}; ` +
        'move it from "input" to "runtimeInput".',
    )
  }
  checkFields(where, options, [input.jsonSchema, options.runtimeInput?.jsonSchema])
  checkExitCode(where, options, output?.jsonSchema)
  return {
    namespace: options.namespace ?? 'local',
    name: options.name,
    toolId: options.toolId,
    aliases: options.aliases ?? [],
    title: options.title,
    description: options.description,
    searchHint: options.searchHint,
    useGuidance: options.useGuidance,
    version: options.version,
    lifecycle: options.lifecycle ?? 'available',
    kind: options.kind ?? 'function',
    capabilityRefs: options.capabilityRefs ?? [],
    annotations: options.annotations,
    externalMappings: options.externalMappings ?? [{ source: 'function', function_name: options.name }],
    input: {
      modelSchema: input.jsonSchema,
      runtimeSchema: options.runtimeInput?.jsonSchema,
      validate: input.validate,
      vendor: input.vendor,
      fillDefaults: input.validate === undefined,
      strict: options.strict,
      sensitiveFields: options.sensitiveFields ?? [],
      internalOnlyFields,
      examples: options.examples ?? [],
      mutationPolicy: options.mutationPolicy ?? 'allow',
      argumentMode: options.argumentMode ?? 'json',
      pathFields: Object.entries(options.paths ?? {}).map(([field, access]): PathField => ({
        field,
        access,
      })),
      urlFields: options.urls ?? [],
      refs: options.refs,
      sandboxOverrideField: options.sandboxOverride,
      commandField: typeof options.command === 'string' ? { field: options.command } : options.command,
    },
    output: {
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
    },
    facts: factsOf(options),
    reach: { runs: 'in_process' },
    classifierInput: options.classifierInput,
    permission: options.permission ?? {},
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
      supports: options.supports ?? ['progress', 'partial_results'],
    },
    rendering: options.rendering ?? {},
    denyBeforeIo: options.denyBeforeIo ?? true,
    validateValues: options.validate as ValueCheck | undefined,
    preflight: options.preflight as ValueCheck | undefined,
    locks: options.locks as LockRule | undefined,
    execute: options.execute,
  }
}

function factsOf<Input extends SchemaForm, Output extends SchemaForm>(
  options: ToolOptions<Input, Output>,
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
  options: ToolOptions<Input, Output>,
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
