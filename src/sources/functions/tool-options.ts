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

/** What an author says of a tool besides what runs. */
export interface ToolDescription<Input extends SchemaForm, Output extends SchemaForm> extends Omit<
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
  /** Hosts that it talks to whatever its input says, such as `api.example.com`. Rules about domains look at them. */
  hosts?: readonly string[]
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
}

/** Plain, async, or an async generator whose yields are progress or partial results. */
export type Execute<Input, Returned> = (
  input: Input,
  context: ExecuteContext,
) => Returned | Promise<Returned> | AsyncGenerator<Step, Returned, void>

/** What an author says of a tool. Only the name, the description and the executor are needed. */
export interface ToolOptions<Input extends SchemaForm, Output extends SchemaForm> extends ToolDescription<
  Input,
  Output
> {
  execute: Execute<InputOf<Input>, OutputOf<Output>>
}

export type Fact<Input> = boolean | ((input: Input) => boolean)

export type Check<Input> = (input: Input) => ValueVerdict | Promise<ValueVerdict>

export type Step = ProgressUpdate | PartialOutput | string
