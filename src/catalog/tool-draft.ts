import type { ErrorCode } from '../contract/error-codes.js'
import type { JsonSchema } from '../contract/json-schema.js'
import type { ToolExternalMapping } from '../contract/objects/tool-external-mapping.js'
import type { ToolPermissionProfile } from '../contract/objects/tool-permission-profile.js'
import type {
  ArgumentMode,
  ContextModifierPolicy,
  ExecutionKind,
  InterruptBehavior,
  LifecycleState,
  MutationPolicy,
  PersistenceStrategy,
  ToolKind,
} from '../contract/unions.js'
import type { ShellKind } from '../shell/shell-kind.js'
import type { Issue, Validate } from '../platform/validation/validated.js'
import type { RunPlace } from '../policy/arguments/argument-reach.js'
import type { NativeDefinition } from './native.js'
import type { ArtifactExpectations } from './new-artifact.js'
import type { Retries } from './retries.js'
import type { ExecuteContext } from './execute-context.js'

/** A fact that is known, or one that depends on the input. */
export type FactRule = boolean | ((input: never) => boolean)

/** What a source says of a call's safety; what it leaves out is filled with the standard's fail-closed default. */
export interface FactRules {
  is_read_only?: FactRule
  is_destructive?: FactRule
  is_open_world?: FactRule
  is_concurrency_safe?: FactRule
  requires_user_interaction?: FactRule
  requires_exclusive_context?: FactRule
}

export interface DraftInput {
  /** What the model may produce. */
  modelSchema: JsonSchema
  /** What the executor accepts: the model's fields and the internal ones. Absent: the same. */
  runtimeSchema?: JsonSchema | undefined
  /** Checks, and may transform, what the model produced. Absent: the schema is compiled and only checks. */
  validate?: Validate | undefined
  /** Who transforms: a schema library's name. */
  vendor: string
  /** Whether a plain schema's `default`s are filled in. */
  fillDefaults: boolean
  strict?: boolean | undefined
  sensitiveFields: readonly string[]
  internalOnlyFields: readonly string[]
  examples: readonly unknown[]
  mutationPolicy: MutationPolicy
  argumentMode: ArgumentMode
  /** Fields that hold file paths; they are made absolute before anyone judges them. */
  pathFields: readonly PathField[]
  /** Fields that hold URLs: rules about domains look at them. */
  urlFields: readonly string[]
  /** The field that holds a shell command: it is read before anyone judges it. */
  commandField?: CommandField | undefined
  /** What becomes of refs to kept results that are given as arguments. Absent: content, and files where paths are read. */
  refs?: RefUse | Readonly<Record<string, RefUse>> | undefined
  /** The field by which a call asks to run outside the tool's sandbox: a person decides each time. */
  sandboxOverrideField?: string | undefined
}

/** The executor gets what a ref stands for, the path of a file that holds it, or the ref itself. */
export const refUses = ['content', 'file', 'keep'] as const
export type RefUse = (typeof refUses)[number]

export interface CommandField {
  field: string
  /** The field that says where the command starts. */
  cwd?: string | undefined
  /** The shell that runs it. Absent: `sh`, and only what every shell reads alike is proven. */
  shell?: ShellKind | undefined
}

export interface PathField {
  field: string
  access: 'read' | 'write'
}

export interface DraftReach {
  runs: RunPlace
  /** Where it looks for relative names. The first is where it stands. Absent: where the caller works. */
  folders?: readonly string[] | undefined
  /** Hosts that it talks to whatever its input says, such as `api.example.com`: rules about domains look at them. */
  hosts?: readonly string[] | undefined
}

export interface DraftOutput {
  schema?: JsonSchema | undefined
  validate?: Validate | undefined
  /** The place of the output, as a dotted path, that holds the exit code of the command that the tool ran. */
  exitCode?: string | undefined
  maxInlineChars?: number | undefined
  maxInlineLines?: number | undefined
  maxInlineTokens?: number | undefined
  persistence?: PersistenceStrategy | undefined
  /** Of a text, bytes or a stream that does not say it itself. */
  mediaType?: string | undefined
  /** Places of the output, as dotted paths, that are masked before anybody gets it. */
  sensitiveFields?: readonly string[] | undefined
  /** What a call that succeeds has to deliver. */
  artifacts?: ArtifactExpectations | undefined
  toModel?: ((output: never) => unknown) | undefined
  toUi?: ((output: never) => string) | undefined
  transcriptText?: ((output: never) => string) | undefined
}

/** Why a tool cannot be used as it is. A sentence alone says the same without a code of its own. */
export interface SetupProblem {
  readonly message: string
  readonly code?: ErrorCode
}

export interface DraftAvailability {
  isEnabled?: boolean | (() => boolean)
  /** What is missing, or nothing when the tool is set up. */
  setupProblem?: () => string | SetupProblem | undefined
  /** The name of the server or service behind the tool while it is still connecting. */
  pendingProvider?: () => string | undefined
  requiredCredentials?: readonly string[]
  modelRequirements?: readonly string[]
  featureGates?: readonly string[]
  roles?: readonly string[]
  platforms?: readonly string[]
  workspaces?: readonly string[]
  skills?: readonly string[]
  /** Starts another agent: withheld from agents that were themselves started by one. */
  isRecursive?: boolean
  shouldDefer?: boolean
  alwaysLoad?: boolean
}

export type ValueCheck = (input: never) => ValueVerdict | Promise<ValueVerdict>
/** Nothing or true: all is well. False, a text or issues: the arguments are wrong. A refusal names another of the phase's classes. */
export type ValueVerdict =
  | undefined
  | void
  | boolean
  | string
  | readonly Issue[]
  | { errorClass: 'invalid_arguments' | 'setup_required' | 'sandbox_violation'; message: string }

export interface DraftExecution {
  kind: ExecutionKind
  /** For one attempt. */
  timeoutMs?: number | undefined
  /** Absent: as the crib says. */
  retries?: Retries | undefined
  interruptBehavior?: InterruptBehavior | undefined
  contextModifierPolicy?: ContextModifierPolicy | undefined
  sandboxProfile?: string | undefined
  isIdempotent?: boolean | undefined
  /** How many calls of the tool may run at once in this process. */
  maxParallel?: number | undefined
  /** Only what is supported needs saying; the rest is stated as unsupported. */
  supports: readonly SupportedCapability[]
  /** Whoever does the work is told when a call is canceled, and need not obey. */
  passesCancelOn?: boolean | undefined
}

export const supportedCapabilities = [
  'progress',
  'cancel',
  'resume',
  'retries',
  'partial_results',
  'result_persistence',
  'artifacts',
  'sandboxing',
  'credential_delegation',
  'offline',
  'context_modifiers',
] as const
export type SupportedCapability = (typeof supportedCapabilities)[number]

/** Words and hints for whoever shows a call to a person. */
export interface DraftRendering {
  userFacingName?: string
  uiSummary?: string
  activityDescription?: string
  progressRenderHint?: string
  rejectedRenderHint?: string
  errorRenderHint?: string
}

export type PermissionFacts = Partial<
  Omit<ToolPermissionProfile, 'schema_version' | 'permission_profile_id' | 'toolcrib'>
>

/** Who defines the tool and answers its calls, in another process: nobody here can change what it says of itself. */
export interface DraftProvider {
  /** As its source names it, also while it is being connected to. */
  readonly name: string
  /** The same in letters that tool names may have. */
  readonly key: string
}

/** One tool as every source hands it to the catalog, whatever it is made of. */
export interface ToolDraft {
  namespace: string
  name: string
  /** Absent: namespace and name, joined by a dot. */
  toolId?: string | undefined
  aliases: readonly string[]
  title?: string | undefined
  description: string
  searchHint?: string | undefined
  /** When to use it and when not. It is searched, and never sent along. */
  useGuidance?: string | undefined
  version?: string | undefined
  lifecycle: LifecycleState
  kind: ToolKind
  capabilityRefs: readonly string[]
  annotations?: Record<string, unknown> | undefined
  /** The definition as its own protocol gave it. */
  native?: NativeDefinition | undefined
  /** The server or service that the tool belongs to. Absent: it is code of its own. */
  provider?: DraftProvider | undefined
  /** The definition before hidden characters were taken out of its words, where there were any. */
  asSent?: Readonly<Record<string, unknown>> | undefined
  externalMappings: readonly ToolExternalMapping[]
  input: DraftInput
  output: DraftOutput
  facts: FactRules
  /** What the tool's protocol takes a fact to be where the tool says nothing; elsewhere the standard's default holds. */
  assumedFacts?: Readonly<Partial<Record<keyof FactRules, boolean>>> | undefined
  /**
   * Where its code runs, and so which machine its arguments speak of, and which hosts it talks to. Absent: in another process of
   * this machine, and nobody knows.
   */
  reach?: DraftReach | undefined
  /** Whether the executor's own work happens in this process, and not only a request to another. Absent: it does. */
  runsInProcess?: boolean | undefined
  /** For classifiers: the part of the input that decides whether a call is safe. */
  classifierInput?: ((input: never) => string) | undefined
  permission: PermissionFacts
  permissionMatcher?: string | undefined
  availability: DraftAvailability
  execution: DraftExecution
  rendering: DraftRendering
  /** Whether a call that would be denied is denied before `preflight` looks at the world: a probe learns nothing. */
  denyBeforeIo: boolean
  /** Checks values by themselves. */
  validateValues?: ValueCheck | undefined
  /** Checks values against the world: files, services, accounts. */
  preflight?: ValueCheck | undefined
  /** What calls can collide over. Said, it is all of that: whatever has other locks may run beside them. */
  locks?: LockRule | undefined
  execute: (input: never, context: ExecuteContext) => unknown
}

/** `paths`: the path fields and nothing else. Path fields are locked in any case. */
export type LockRule = 'paths' | readonly ResourceKey[] | ((input: never) => readonly ResourceKey[])

/** Something that a call reads or writes: `path:/work/a.txt`, `host:example.com`, `db:orders`. */
export interface ResourceKey {
  readonly key: string
  readonly access: 'read' | 'write'
}
