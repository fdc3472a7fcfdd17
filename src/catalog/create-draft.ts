import { personAnswer, personFacts, personOutput } from './person-answer.js'
import type {
  DraftAvailability,
  DraftExecution,
  DraftInput,
  DraftOutput,
  DraftReach,
  FactRules,
  ToolDraft,
} from './tool-draft.js'

/** What a source must give for a tool. Omitted members get the defaults. */
export type DraftParts = Pick<ToolDraft, 'namespace' | 'name' | 'description' | 'kind'> &
  Runs &
  Optional<ToolDraft> & {
    readonly input: Pick<DraftInput, 'modelSchema'> & Optional<DraftInput>
    readonly execution: Pick<DraftExecution, 'kind'> & Optional<DraftExecution>
  }

/** A tool has its own code, or a person answers. */
type Runs =
  | (Pick<ToolDraft, 'execute'> & { readonly answeredBy?: undefined })
  | { readonly answeredBy: NonNullable<ToolDraft['answeredBy']>; readonly execute?: undefined }

type Optional<Parts> = {
  [Name in keyof Omit<Parts, 'input' | 'execution'>]?: Parts[Name & keyof Parts] | undefined
}

/**
 * Creates a draft for any kind of source, with the defaults that all drafts share. Written out, without spreads: each
 * spread would give the draft a hidden class of its own, which takes more memory than the draft and makes every tool slow
 * to read beside others. Unstated facts, permissions and reach stay unstated: they count as the stricter value.
 */
export function createDraft(parts: DraftParts): ToolDraft {
  const { answeredBy } = parts
  return {
    namespace: parts.namespace,
    name: parts.name,
    toolId: parts.toolId,
    aliases: parts.aliases ?? NONE,
    title: parts.title,
    description: parts.description,
    searchHint: parts.searchHint,
    useGuidance: parts.useGuidance,
    version: parts.version,
    lifecycle: parts.lifecycle ?? 'available',
    kind: parts.kind,
    capabilityRefs: parts.capabilityRefs ?? NONE,
    annotations: parts.annotations,
    native: parts.native,
    provider: parts.provider,
    asSent: parts.asSent,
    externalMappings: parts.externalMappings ?? NONE,
    input: inputOf(parts.input),
    output: shareOutput(outputOf(answeredBy ? personOutput(parts.output) : (parts.output ?? NOTHING))),
    facts: shareFacts(factsOf(answeredBy ? personFacts(parts.facts) : (parts.facts ?? NOTHING))),
    assumedFacts: parts.assumedFacts,
    reach: parts.reach && shareReach(reachOf(parts.reach)),
    runsInProcess: parts.runsInProcess,
    classifierInput: parts.classifierInput,
    permission: parts.permission ?? NOTHING,
    permissionMatcher: parts.permissionMatcher,
    availability: availabilityOf(parts.availability ?? NOTHING),
    execution: shareExecution(executionOf(parts.execution)),
    rendering: parts.rendering ?? NOTHING,
    // A call that would be denied cannot be used as a probe.
    denyBeforeIo: parts.denyBeforeIo ?? true,
    validateValues: parts.validateValues,
    preflight: parts.preflight,
    locks: parts.locks,
    execute: answeredBy ? personAnswer : parts.execute,
    answeredBy,
  }
}

const NONE: never[] = []
Object.freeze(NONE)
const NOTHING = Object.freeze({})

function inputOf(input: DraftParts['input']): DraftInput {
  return {
    modelSchema: input.modelSchema,
    runtimeSchema: input.runtimeSchema,
    validate: input.validate,
    vendor: input.vendor ?? 'json-schema',
    fillDefaults: input.fillDefaults ?? input.validate === undefined,
    strict: input.strict,
    sensitiveFields: input.sensitiveFields ?? NONE,
    internalOnlyFields: input.internalOnlyFields ?? NONE,
    examples: input.examples ?? NONE,
    mutationPolicy: input.mutationPolicy ?? 'allow',
    argumentMode: input.argumentMode ?? 'json',
    pathFields: input.pathFields ?? NONE,
    urlFields: input.urlFields ?? NONE,
    commandField: input.commandField,
    refs: input.refs,
    sandboxOverrideField: input.sandboxOverrideField,
    backgroundField: input.backgroundField,
  }
}

function outputOf(output: DraftOutput): DraftOutput {
  return {
    schema: output.schema,
    mayDiffer: output.mayDiffer,
    validate: output.validate,
    exitCode: output.exitCode,
    maxInlineChars: output.maxInlineChars,
    maxInlineLines: output.maxInlineLines,
    maxInlineTokens: output.maxInlineTokens,
    persistence: output.persistence,
    mediaType: output.mediaType,
    sensitiveFields: output.sensitiveFields,
    artifacts: output.artifacts,
    toModel: output.toModel,
    toUi: output.toUi,
    transcriptText: output.transcriptText,
  }
}

function factsOf(facts: FactRules): FactRules {
  return {
    is_read_only: facts.is_read_only,
    is_destructive: facts.is_destructive,
    is_open_world: facts.is_open_world,
    is_concurrency_safe: facts.is_concurrency_safe,
    requires_user_interaction: facts.requires_user_interaction,
    requires_exclusive_context: facts.requires_exclusive_context,
  }
}

function reachOf({ runs, folders, declaresPaths, hosts, urlOf }: DraftReach): DraftReach {
  return { runs, folders, declaresPaths, hosts, urlOf }
}

/** Its own for each tool, because a program may change it later; small for the many tools that are always available. */
function availabilityOf(given: DraftAvailability): DraftAvailability {
  if (isSame(given, NOTHING)) return {}
  return {
    isEnabled: given.isEnabled,
    setupProblem: given.setupProblem,
    pendingProvider: given.pendingProvider,
    requiredCredentials: given.requiredCredentials,
    sourceCredentials: given.sourceCredentials,
    modelRequirements: given.modelRequirements,
    featureGates: given.featureGates,
    roles: given.roles,
    platforms: given.platforms,
    workspaces: given.workspaces,
    skills: given.skills,
    isRecursive: given.isRecursive,
    shouldDefer: given.shouldDefer,
    alwaysLoad: given.alwaysLoad,
  }
}

function executionOf(given: DraftParts['execution']): DraftExecution {
  return {
    kind: given.kind,
    timeoutMs: given.timeoutMs,
    timeoutFor: given.timeoutFor,
    retries: given.retries,
    interruptBehavior: given.interruptBehavior,
    contextModifierPolicy: given.contextModifierPolicy,
    sandboxProfile: given.sandboxProfile,
    isIdempotent: given.isIdempotent,
    maxParallel: given.maxParallel,
    supports: given.supports ?? NONE,
    passesCancelOn: given.passesCancelOn,
  }
}

const shareOutput = createSharer<DraftOutput>()
const shareFacts = createSharer<FactRules>()
const shareReach = createSharer<DraftReach>()
const shareExecution = createSharer<DraftExecution>()

/** How many of the last records are compared with the next: tools of one source alternate between a few. */
const COMPARED = 4

/** Most tools of one source say the same about themselves: they share one record. */
function createSharer<Kind extends object>(): (record: Kind) => Kind {
  const recent: Kind[] = []
  return (record) => {
    const known = recent.find((each) => isSame(each, record))
    if (known) return known
    if (recent.unshift(Object.freeze(record)) > COMPARED) recent.pop()
    return record
  }
}

/** Both have the same members. */
function isSame(one: object, other: object): boolean {
  for (const name in one)
    if ((one as Record<string, unknown>)[name] !== (other as Record<string, unknown>)[name]) return false
  return true
}
