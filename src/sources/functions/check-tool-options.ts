import { nearestWord } from '../../platform/config/nearest-word.js'
import { onlyJson } from '../../catalog/only-json.js'
import { refUses, supportedCapabilities } from '../../catalog/tool-draft.js'
import { contextModifierPolicies, interruptBehaviors, persistenceStrategies } from '../../contract/unions.js'
import type { JsonSchema } from '../../contract/json-schema.js'
import { checkOptions, type OptionKind } from '../../platform/validation/check-options.js'
import { checkExpectations } from '../../catalog/new-artifact.js'
import { checkRetries } from '../../catalog/check-retries.js'
import { parseHostPattern } from '../../policy/patterns/host-pattern.js'
import { isKey } from '../../catalog/compile-locks.js'
import type { ToolOptions } from './tool-options.js'

const TOOL_OPTIONS = {
  namespace: 'text',
  name: 'text',
  toolId: 'text',
  aliases: 'texts',
  title: 'text',
  description: 'text',
  searchHint: 'text',
  useGuidance: 'text',
  version: 'text',
  lifecycle: 'text',
  kind: 'text',
  capabilityRefs: 'texts',
  annotations: 'object',
  externalMappings: 'list',
  input: 'any',
  runtimeInput: 'object',
  output: 'any',
  strict: 'boolean',
  sensitiveFields: 'texts',
  examples: 'list',
  mutationPolicy: 'text',
  argumentMode: 'text',
  paths: 'object',
  urls: 'texts',
  hosts: 'texts',
  command: 'any',
  exitCode: 'text',
  sandboxOverride: 'text',
  isReadOnly: 'fact',
  isDestructive: 'fact',
  isOpenWorld: 'fact',
  isConcurrencySafe: 'fact',
  requiresUserInteraction: 'fact',
  requiresExclusiveContext: 'fact',
  classifierInput: 'function',
  permission: 'object',
  permissionMatcher: 'text',
  isEnabled: 'fact',
  requiresSetup: 'function',
  requiredCredentials: 'texts',
  modelRequirements: 'texts',
  featureGates: 'texts',
  roles: 'texts',
  platforms: 'texts',
  workspaces: 'texts',
  skills: 'texts',
  isRecursive: 'boolean',
  pendingProvider: 'function',
  shouldDefer: 'boolean',
  alwaysLoad: 'boolean',
  validate: 'function',
  preflight: 'function',
  denyBeforeIo: 'boolean',
  executionKind: 'text',
  timeoutMs: 'positive',
  retries: 'any',
  interruptBehavior: 'text',
  contextModifierPolicy: 'text',
  sandboxProfile: 'text',
  isIdempotent: 'boolean',
  maxParallel: 'positive',
  locks: 'any',
  supports: 'texts',
  toModel: 'function',
  toUi: 'function',
  transcriptText: 'function',
  maxInlineChars: 'count',
  maxInlineLines: 'count',
  maxInlineTokens: 'count',
  persistence: 'text',
  refs: 'any',
  mediaType: 'text',
  sensitiveOutputFields: 'texts',
  artifacts: 'object',
  rendering: 'object',
  execute: 'function',
} as const satisfies Record<keyof ToolOptions<never, never>, OptionKind>

/** Rejects options that the types would not allow. Returns the tool's name for messages. */
export function checkToolOptions(options: object): string {
  const { namespace = 'local', name, description, execute, retries }: Record<string, unknown> = { ...options }
  const where = typeof name === 'string' ? `The tool "${String(namespace)}.${name}"` : 'defineTool'
  checkForeignNames(where, options)
  checkOptions(where, options, TOOL_OPTIONS)
  if (name === undefined || name === '') throw new TypeError('defineTool needs a "name": a text.')
  if (typeof description !== 'string' || description.trim() === '') {
    throw new TypeError(`${where} has no description; say in a sentence when a model should use it.`)
  }
  if (execute === undefined)
    throw new TypeError(`${where} has no executor; give it "execute": a function of the input.`)
  checkRetries(where, retries)
  checkLocks(where, options)
  checkHosts(where, options)
  checkChoices(where, options)
  checkRefs(where, options)
  checkArgumentMode(where, options)
  checkSupports(where, options)
  checkExpectations(where, (options as { artifacts?: unknown }).artifacts)
  return where
}

/** Names that other libraries use for these options. */
const FOREIGN_NAMES = {
  input: ['inputSchema', 'input_schema', 'parameters', 'params', 'schema', 'args'],
  output: ['outputSchema', 'output_schema', 'returns'],
  execute: ['handler', 'callback', 'run', 'func', 'fn', 'call', 'invoke'],
  description: ['desc', 'summary', 'prompt'],
} as const satisfies Partial<Record<keyof typeof TOOL_OPTIONS, readonly string[]>>

function checkForeignNames(where: string, options: object): void {
  for (const [own, names] of Object.entries(FOREIGN_NAMES)) {
    const given = names.find((name) => Object.hasOwn(options, name))
    if (given !== undefined) throw new TypeError(`${where} has no option "${given}"; did you mean "${own}"?`)
  }
}

const CHOICES = {
  interruptBehavior: interruptBehaviors,
  contextModifierPolicy: contextModifierPolicies,
  persistence: persistenceStrategies,
} as const

/** An unknown value would silently act as the default. */
function checkChoices(where: string, options: Partial<Record<keyof typeof CHOICES, unknown>>): void {
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value = options[name as keyof typeof CHOICES]
    if (value === undefined || choices.some((choice) => choice === value)) continue
    throw new TypeError(`${where}: "${name}" must be one of ${choices.join(', ')}, not "${String(value)}".`)
  }
}

function checkArgumentMode(where: string, { argumentMode = 'json' }: { argumentMode?: unknown }): void {
  if (argumentMode !== 'json') throw new TypeError(`${where} ${onlyJson(argumentMode)}`)
}

type Supporting = Pick<ToolOptions<never, never>, 'supports' | 'contextModifierPolicy' | 'persistence'>

/** A profile that claims what the tool's own policies forbid would be untrue. */
function checkSupports(where: string, options: Supporting): void {
  const { supports = [], contextModifierPolicy = 'forbid', persistence } = options
  for (const word of supports) {
    if (supportedCapabilities.includes(word)) continue
    const near = nearestWord(word, supportedCapabilities)
    const hint = near ? `did you mean "${near}"?` : `it takes ${supportedCapabilities.join(', ')}.`
    throw new TypeError(`${where}: "supports" has "${word}", which is no capability; ${hint}`)
  }
  if (supports.includes('context_modifiers') && contextModifierPolicy === 'forbid')
    throw new TypeError(
      `${where} supports context_modifiers, but its "contextModifierPolicy" forbids them; give it another one.`,
    )
  if (supports.includes('result_persistence') && persistence === 'never_persist')
    throw new TypeError(
      `${where} supports result_persistence, but its "persistence" is never_persist; leave out one of both.`,
    )
}

function checkRefs(where: string, { refs }: { refs?: unknown }): void {
  const said = typeof refs === 'object' && refs !== null ? Object.values(refs) : [refs]
  if (refs === undefined || said.every((use) => (refUses as readonly unknown[]).includes(use))) return
  throw new TypeError(`${where}: "refs" must be ${refUses.join(', ')}, or name one of them for each field.`)
}

function checkHosts(where: string, { hosts = [] }: { hosts?: readonly string[] }): void {
  const wrong = hosts.find((host) => parseHostPattern(host)?.kind !== 'exact')
  if (wrong === undefined) return
  throw new TypeError(
    `${where} states ${JSON.stringify(wrong)} in "hosts", which is no name of a host; write it such as api.example.com, without scheme, port or wildcard.`,
  )
}

/** A lock that cannot be parsed would lock nothing, and calls that must not overlap would run in parallel. */
function checkLocks(
  where: string,
  { locks, paths, maxParallel }: { locks?: unknown; paths?: object; maxParallel?: unknown },
): void {
  if (maxParallel !== undefined && !Number.isInteger(maxParallel))
    throw new TypeError(`${where}: "maxParallel" must be a whole number above 0.`)
  if (locks === undefined || typeof locks === 'function') return
  if (locks === 'paths') {
    if (Object.keys(paths ?? {}).length > 0) return
    throw new TypeError(`${where} has locks: "paths", but no path fields; name them in "paths".`)
  }
  if (Array.isArray(locks) && locks.every(isKey)) return
  throw new TypeError(
    `${where}: "locks" must be "paths", a list such as [{ key: "db:orders", access: "write" }], or a function that returns one.`,
  )
}

/** Options that name fields of the schemas. */
interface SpokenFields {
  sensitiveFields?: readonly string[]
  paths?: object
  urls?: readonly string[]
  command?: unknown
}

function commandFields(where: string, command: unknown): string[] {
  if (command === undefined) return []
  const { field, cwd, shell }: Record<string, unknown> =
    typeof command === 'object' && command !== null ? { ...command } : { field: command }
  if (typeof field !== 'string' || (cwd !== undefined && typeof cwd !== 'string')) {
    throw new TypeError(`${where} has a "command" that names no field; write command: "command".`)
  }
  if (shell !== undefined && shell !== 'bash' && shell !== 'sh') {
    throw new TypeError(
      `${where} has a "command" with the shell ${JSON.stringify(shell)}; write "bash" or "sh".`,
    )
  }
  return cwd === undefined ? [field] : [field, cwd]
}

/** A field to mask or resolve that is missing in the schema is a typo, and a leak. */
export function checkFields(
  where: string,
  { sensitiveFields = [], paths = {}, urls = [], command }: SpokenFields,
  schemas: readonly (JsonSchema | undefined)[],
): void {
  checkPaths(
    where,
    [...sensitiveFields, ...Object.keys(paths), ...urls, ...commandFields(where, command)],
    schemas,
  )
}

/** Without a command field there is no command that the exit code could belong to. */
export function checkExitCode(
  where: string,
  { command, exitCode }: { command?: unknown; exitCode?: string },
  schema: JsonSchema | undefined,
): void {
  if (exitCode === undefined) return
  if (command === undefined)
    throw new TypeError(
      `${where} has an "exitCode" but no "command"; name the field of the input that holds the command.`,
    )
  checkPaths(where, [exitCode], [schema])
}

function checkPaths(
  where: string,
  paths: readonly string[],
  schemas: readonly (JsonSchema | undefined)[],
): void {
  const known = schemas.flatMap((schema) => Object.keys((schema?.['properties'] as object | undefined) ?? {}))
  // A schema that allows additional fields may have this one; then only a near match, a likely typo, is rejected.
  const isClosed = known.length > 0 && schemas[0]?.['additionalProperties'] === false
  for (const path of paths) {
    const [first = ''] = path.split('.')
    if (first === '*' || known.includes(first)) continue
    const near = nearestWord(first, known)
    if (!near && !isClosed) continue
    throw new TypeError(
      `${where} names the field "${path}", which its schema does not have${near ? `; did you mean "${near}"?` : '.'}`,
    )
  }
}
