import type { SchemaForm, InputOf, OutputOf } from './schema-form.js'
import type {
  DraftAvailability,
  CommandField,
  PermissionFacts,
  ResourceKey,
  SupportedCapability,
  RefUse,
  DraftRendering,
} from '../../catalog/tool-draft.js'
import type {
  LifecycleState,
  ToolKind,
  MutationPolicy,
  ArgumentMode,
  ExecutionKind,
  InterruptBehavior,
  ContextModifierPolicy,
  PersistenceStrategy,
} from '../../contract/unions.js'
import type { ToolExternalMapping } from '../../contract/objects/tool-external-mapping.js'
import type { JsonSchema } from '../../contract/json-schema.js'
import type { Retries } from '../../catalog/retries.js'
import type { ArtifactExpectations } from '../../catalog/new-artifact.js'
import type { ExecuteContext } from '../../catalog/execute-context.js'
import type { ValueVerdict } from '../../catalog/tool-draft.js'
import type { ProgressUpdate } from '../../catalog/execute-context.js'
import type { PartialOutput } from '../../catalog/tool-output.js'

/** The description of a tool, without its executor. */
export interface ToolDescription<Input extends SchemaForm, Output extends SchemaForm> extends Omit<
  DraftAvailability,
  'setupProblem' | 'sourceCredentials'
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
  /** When to use it and when not: indexed for search, not part of every prompt. */
  useGuidance?: string
  /** Part of the fingerprint: raise it when the behaviour changes and the schema does not. */
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
  /** Dotted paths of fields that are masked from the first record on; `*` matches every element. */
  sensitiveFields?: readonly string[]
  examples?: readonly unknown[]
  mutationPolicy?: MutationPolicy
  argumentMode?: ArgumentMode
  /** Fields that hold paths. Path rules check them. */
  paths?: Readonly<Record<string, 'read' | 'write'>>
  /** Fields that hold URLs. Domain rules check them. */
  urls?: readonly string[]
  /** Hosts that the tool contacts for any input, such as `api.example.com`. Domain rules check them. */
  hosts?: readonly string[]
  /** The field that holds a shell command. It is parsed, and facts that are not declared are derived from it. */
  command?: string | CommandField
  /**
   * Dotted path of the output field that holds the command's exit code. A code that means failure makes the result a
   * failure; a code that is an answer (`grep` without a match) does not.
   */
  exitCode?: string
  /** The field by which a call requests to run outside the sandbox. A person decides on each such call. */
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

  /** What must be set up before the tool can be used; undefined when it is ready. */
  requiresSetup?: () => string | undefined

  validate?: Check<InputOf<Input>>
  preflight?: Check<InputOf<Input>>
  /** True by default: a call that would be denied is denied before `preflight` can reveal what exists. */
  denyBeforeIo?: boolean

  executionKind?: ExecutionKind
  /** For one attempt. */
  timeoutMs?: number
  /**
   * How often a failed attempt is retried: only where the tool is idempotent or read-only, or the failure says that
   * nothing happened.
   */
  retries?: Retries
  interruptBehavior?: InterruptBehavior
  contextModifierPolicy?: ContextModifierPolicy
  sandboxProfile?: string
  /** Whether repeating a call with the same input changes nothing more. */
  isIdempotent?: boolean
  /** How many calls of the tool may run at once. */
  maxParallel?: number
  /**
   * Everything that calls of the tool can conflict over: `paths` for its path fields, a list of keys, or a function of
   * the input. Calls with disjoint locks may then run in parallel; calls with overlapping locks do not, in any process.
   */
  locks?: 'paths' | readonly ResourceKey[] | ((input: InputOf<Input>) => readonly ResourceKey[])
  supports?: readonly SupportedCapability[]

  /** What the model receives for an output: a text, or any value that can be written as JSON. */
  toModel?: (output: OutputOf<Output>) => unknown
  /** One line for people. */
  toUi?: (output: OutputOf<Output>) => string
  transcriptText?: (output: OutputOf<Output>) => string
  /**
   * What the executor gets for an argument that is a ref to a stored result (`toolcrib://…`): its `content`, the path
   * of a `file`, or the ref itself (`keep`); for all fields, or by field. Default: content, and a file for fields that
   * are read paths.
   */
  refs?: RefUse | Readonly<Record<string, RefUse>>
  /** Longer results become a preview with a ref to the whole. */
  maxInlineChars?: number
  maxInlineLines?: number
  /** Counted with the tokenizer `o200k_base`. */
  maxInlineTokens?: number
  /**
   * How results are stored: `never_persist` for results that must not be stored or are bounded by themselves,
   * `ref_only` for results that are never shown whole, and the others as in `crib.surface`. A surface cannot store what
   * its tool forbids.
   */
  persistence?: PersistenceStrategy
  /** Media type of a returned text, byte array or stream: `text/csv`, `image/png`. */
  mediaType?: string
  /** Dotted paths of output fields that are masked before any consumer gets the output. */
  sensitiveOutputFields?: readonly string[]
  /**
   * Artifacts that a successful call must produce (`toolOutput({ artifacts })`). A missing one makes it a partial
   * success.
   */
  artifacts?: ArtifactExpectations
  rendering?: DraftRendering
}

/** Plain, async, or an async generator whose yields are progress or partial results. */
export type Execute<Input, Returned> = (
  input: Input,
  context: ExecuteContext,
) => Returned | Promise<Returned> | AsyncGenerator<Step, Returned, void>

/** The definition of a tool. Only the name, the description and the executor are required. */
export interface ToolOptions<Input extends SchemaForm, Output extends SchemaForm> extends ToolDescription<
  Input,
  Output
> {
  execute: Execute<InputOf<Input>, OutputOf<Output>>
}

export type Fact<Input> = boolean | ((input: Input) => boolean)

export type Check<Input> = (input: Input) => ValueVerdict | Promise<ValueVerdict>

export type Step = ProgressUpdate | PartialOutput | string
