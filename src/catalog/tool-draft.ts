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
import type { RunLocation } from '../policy/arguments/argument-reach.js'
import type { NativeDefinition } from './native.js'
import type { ArtifactExpectations } from './new-artifact.js'
import type { AnsweredByPerson } from './answered-by.js'
import type { Retries } from './retries.js'
import type { ExecuteContext } from './execute-context.js'

/** A known fact, or one that depends on the input. */
export type FactRule = boolean | ((input: never) => boolean)

/** A source's facts about a call's safety; omitted ones get the standard's fail-closed default. */
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
  /** What the executor accepts: the model's fields and the internal ones. Absent: the same schema. */
  runtimeSchema?: JsonSchema | undefined
  /** Checks, and may transform, what the model produced. Absent: the schema is compiled and only checks. */
  validate?: Validate | undefined
  /** The schema library that transforms. */
  vendor: string
  /** Whether a plain schema's `default`s are filled in. */
  fillDefaults: boolean
  strict?: boolean | undefined
  sensitiveFields: readonly string[]
  internalOnlyFields: readonly string[]
  examples: readonly unknown[]
  mutationPolicy: MutationPolicy
  argumentMode: ArgumentMode
  /** Fields that hold file paths; they are made absolute before policy evaluates them. */
  pathFields: readonly PathField[]
  /** Fields that hold URLs. Domain rules check them. */
  urlFields: readonly string[]
  /** The field that holds a shell command: it is analysed before policy evaluates it. */
  commandField?: CommandField | undefined
  /**
   * How refs to stored results in arguments are resolved. Absent: content, and files for fields that are read paths.
   */
  refs?: RefUse | Readonly<Record<string, RefUse>> | undefined
  /** The field by which a call requests to run outside the tool's sandbox: a person decides each time. */
  sandboxOverrideField?: string | undefined
  /** The field by which a call asks to run in the background: the caller gets a receipt at once. */
  backgroundField?: string | undefined
}

/** The executor gets the content of a ref, its bytes as Base64, the path of a file with it, or the ref itself. */
export const refUses = ['content', 'base64', 'file', 'keep'] as const
export type RefUse = (typeof refUses)[number]

export interface CommandField {
  field: string
  /** The field with the command's working directory. */
  cwd?: string | undefined
  /** The shell that runs it. Absent: `sh`, and only what all shells parse alike counts as proven. */
  shell?: ShellKind | undefined
  /** The folder in which each command starts, and the base of `cwd`. Absent: the caller's working directory. */
  folder?: string | undefined
  /** Programs whose commands do not count as proven. The set is replaced, never changed. */
  doubts?: { readonly programs: ReadonlySet<string> } | undefined
}

export interface PathField {
  field: string
  access: 'read' | 'write'
  /** The tool asks `mayTouch` about every path below a folder that it gets, and leaves out what it may not touch. */
  asksBelow?: boolean | undefined
}

export interface DraftReach {
  runs: RunLocation
  /** The folders in which it resolves relative names; the first is its working directory. Absent: the caller's. */
  folders?: readonly string[] | undefined
  /** Its path fields hold all of its paths: other arguments are not searched for paths. For tools of Toolcrib itself. */
  declaresPaths?: boolean | undefined
  /** Hosts that it contacts for any input, such as `api.example.com`. Domain rules check them. */
  hosts?: readonly string[] | undefined
  /** The URL that a call contacts, where its input decides that. URL and domain rules check it. */
  urlOf?: ((input: never) => string | undefined) | undefined
}

export interface DraftOutput {
  schema?: JsonSchema | undefined
  /** Whether results may differ from the schema. They are given as they are then, marked as unchecked. */
  mayDiffer?: boolean | undefined
  validate?: Validate | undefined
  /** Dotted path of the output field that holds the exit code of the command. */
  exitCode?: string | undefined
  maxInlineChars?: number | undefined
  maxInlineLines?: number | undefined
  maxInlineTokens?: number | undefined
  persistence?: PersistenceStrategy | undefined
  /** Media type of a text, byte array or stream that does not state its own. */
  mediaType?: string | undefined
  /** Dotted paths of output fields that are masked before any consumer gets the output. */
  sensitiveFields?: readonly string[] | undefined
  /** The artifacts that a successful call must produce. */
  artifacts?: ArtifactExpectations | undefined
  toModel?: ((output: never) => unknown) | undefined
  toUi?: ((output: never) => string) | undefined
  transcriptText?: ((output: never) => string) | undefined
}

/** Why a tool cannot be used. A sentence alone means the same without its own code. */
export interface SetupProblem {
  readonly message: string
  readonly code?: ErrorCode
}

export interface DraftAvailability {
  isEnabled?: boolean | (() => boolean)
  /** What is missing, or undefined when the tool is set up. */
  setupProblem?: () => string | SetupProblem | undefined
  /** The name of the tool's server or service while it is still connecting. */
  pendingProvider?: () => string | undefined
  /** Credentials that the caller must have, by name. */
  requiredCredentials?: readonly string[]
  /** Credentials that the source itself sends, by name. For records: `setupProblem` says whether one is missing. */
  sourceCredentials?: readonly string[]
  modelRequirements?: readonly string[]
  featureGates?: readonly string[]
  roles?: readonly string[]
  platforms?: readonly string[]
  workspaces?: readonly string[]
  skills?: readonly string[]
  /** Starts another agent: hidden from agents that were themselves started by one. */
  isRecursive?: boolean
  shouldDefer?: boolean
  alwaysLoad?: boolean
}

export type ValueCheck = (input: never) => ValueVerdict | Promise<ValueVerdict>
/**
 * Undefined or true: valid. False, a text or issues: the arguments are wrong. A refusal names another of the phase's
 * classes.
 */
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
  /** For one attempt, where the input says how long it may take. Undefined: `timeoutMs`. */
  timeoutFor?: ((input: never) => number | undefined) | undefined
  /** Absent: the crib's default. */
  retries?: Retries | undefined
  interruptBehavior?: InterruptBehavior | undefined
  contextModifierPolicy?: ContextModifierPolicy | undefined
  sandboxProfile?: string | undefined
  isIdempotent?: boolean | undefined
  /** How many calls of the tool may run at once in this process. */
  maxParallel?: number | undefined
  /** Only supported capabilities are listed; the rest is recorded as unsupported. */
  supports: readonly SupportedCapability[]
  /** A cancellation is passed on to the server or service, which need not obey it. */
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

/** Texts and hints for showing a call to a person. */
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

/**
 * The server or service in another process that defines the tool and runs its calls: its definition cannot be changed
 * here.
 */
export interface DraftProvider {
  /** Its name in the source, also while it is connecting. */
  readonly name: string
  /** The name in characters that tool names may have. */
  readonly key: string
}

/** One tool, in the form in which every source registers it. */
export interface ToolDraft {
  namespace: string
  name: string
  /** Absent: namespace and name, joined by a dot. */
  toolId?: string | undefined
  aliases: readonly string[]
  title?: string | undefined
  description: string
  searchHint?: string | undefined
  /** When to use it and when not. It is indexed for search, and never part of a prompt. */
  useGuidance?: string | undefined
  version?: string | undefined
  lifecycle: LifecycleState
  kind: ToolKind
  capabilityRefs: readonly string[]
  annotations?: Record<string, unknown> | undefined
  /** The definition in its own protocol. */
  native?: NativeDefinition | undefined
  /** The server or service that the tool belongs to. Absent: it is local code. */
  provider?: DraftProvider | undefined
  /** The definition before hidden characters were removed, where there were any. */
  asSent?: Readonly<Record<string, unknown>> | undefined
  externalMappings: readonly ToolExternalMapping[]
  input: DraftInput
  output: DraftOutput
  facts: FactRules
  /** The protocol's default for a fact that the tool does not state; otherwise the standard's default applies. */
  assumedFacts?: Readonly<Partial<Record<keyof FactRules, boolean>>> | undefined
  /**
   * Where its code runs, and so which machine its arguments refer to, and which hosts it contacts. Absent: in another
   * process of this machine, with unknown hosts.
   */
  reach?: DraftReach | undefined
  /** Whether the executor works in this process, and does not only send a request to another. Absent: it does. */
  runsInProcess?: boolean | undefined
  /** For classifiers: the part of the input that decides whether a call is safe. */
  classifierInput?: ((input: never) => string) | undefined
  permission: PermissionFacts
  permissionMatcher?: string | undefined
  availability: DraftAvailability
  execution: DraftExecution
  rendering: DraftRendering
  /** Whether a call that would be denied is denied before `preflight` does I/O: a probe learns nothing. */
  denyBeforeIo: boolean
  /** Checks values by themselves. */
  validateValues?: ValueCheck | undefined
  /** Checks values against the environment: files, services, accounts. */
  preflight?: ValueCheck | undefined
  /** What calls can conflict over. If given, it is complete: calls with other locks may run in parallel. */
  locks?: LockRule | undefined
  execute: (input: never, context: ExecuteContext) => unknown
  /** A person answers each call; no rule replaces the answer. Absent: the executor does. */
  answeredBy?: AnsweredByPerson | undefined
}

/** `paths`: the path fields and nothing else. Path fields are locked in any case. */
export type LockRule = 'paths' | readonly ResourceKey[] | ((input: never) => readonly ResourceKey[])

/** Something that a call reads or writes: `path:/work/a.txt`, `host:example.com`, `db:orders`. */
export interface ResourceKey {
  readonly key: string
  readonly access: 'read' | 'write'
}
