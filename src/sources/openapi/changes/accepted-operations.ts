import { canonicalJson } from '../../../platform/json/canonical-json.js'
import { acceptedDefinitions, type ComparedState } from '../../changes/accepted-definitions.js'
import type { MemberNames, ToolDiff } from '../../changes/diff-tool.js'
import type { SourceChanges } from '../../changes/source-changes.js'
import type { SourceStorage } from '../../source.js'
import { COMPILER_VERSION, type CachedDocument } from '../compiled-cache.js'
import type { CompiledOperation } from '../compiled.js'
import { keyOf, nameOperations } from '../compile/name-operations.js'

/** The digest of the last document, and its operations that differ from the accepted ones. Small: read on each start. */
export const STATE_KIND = 'openapi_state'
/** The accepted operations of an API. Read only where the document has changed. */
const ACCEPTED_KIND = 'openapi_accepted'

const MEMBERS: MemberNames = {
  description: 'description',
  method: 'method',
  path: 'path',
  servers: 'server',
  security: 'security',
  isDeprecated: 'deprecation',
  input: 'input schema',
  output: 'output schema',
}

/** An operation that is blocked until a person accepts its change. */
export interface ChangedOperation {
  readonly accepted: CompiledOperation
  /** Whether it was never accepted: it goes to another server, or sends a credential in another way. */
  readonly isNew: boolean
  readonly diff: ToolDiff
}

export interface ComparedOperations {
  /** With the names that they had before. */
  readonly operations: readonly CompiledOperation[]
  /** By name. */
  readonly changed: ReadonlyMap<string, ChangedOperation>
  /** Whether operations are usable that the store has not accepted: the document is not known to be current. */
  readonly isProvisional: boolean
}

export interface CompareOptions {
  readonly entry: string
  readonly document: CachedDocument
  /**
   * False: the document is from an earlier run, and its address has not answered yet. Nothing of it is accepted, unless
   * this store has accepted it before: the current document would otherwise count as changed.
   */
  readonly isCurrent: boolean
  /** The last part of a tool's id, which the config may choose. */
  toolName(operation: CompiledOperation): string
}

/**
 * Compares a document with what was accepted. Operations that were never seen before are accepted as they are, unless
 * they go to another server. Resolves once that is durable.
 */
export async function compareOperations(
  storage: SourceStorage,
  { entry, document, isCurrent, toolName }: CompareOptions,
): Promise<ComparedOperations> {
  const { compiled, digest } = document
  const state = await accepting.readState(storage, entry)
  const isKnown = state?.digest === digest
  if (isKnown && state.compiler === COMPILER_VERSION && !state.isRenamed && state.changed.length === 0)
    return { operations: compiled.operations, changed: new Map(), isProvisional: false }
  // The same document, compiled by another version: what was accepted is still the same.
  const isOther = isKnown && state.compiler !== COMPILER_VERSION
  const blocked = new Set(isOther ? state.changed.map(({ item }) => item.name) : [])
  const before = await accepting.read(storage, entry)
  const operations = withKnownNames(compiled.operations, before)
  const isSafe = newcomerTest([...before.values()])
  const isFresh = (operation: CompiledOperation): boolean =>
    before.has(operation.name) ? isOther && !blocked.has(operation.name) : isSafe(operation)
  const fresh = operations.filter(isFresh)
  const isProvisional = !isCurrent && !isKnown && fresh.length > 0
  const accepted = isProvisional
    ? new Map([...before, ...fresh.map((operation) => [operation.name, operation] as const)])
    : fresh.length === 0
      ? before
      : await accepting.accept(storage, entry, { items: fresh, replaces: isOther })
  const differing = operations.filter(
    (operation) => !accepting.isSame(accepted.get(operation.name), operation),
  )
  await accepting.writeState(storage, entry, {
    // Without a digest the document is compared again, and its operations can then be accepted.
    digest: isProvisional ? '' : digest,
    compiler: COMPILER_VERSION,
    isRenamed: operations.some(({ name }, at) => name !== compiled.operations[at]!.name),
    changed: differing.map((item) => ({ item, toolName: toolName(item) })),
  })
  const changed = differing.map((operation): [string, ChangedOperation] => {
    const known = accepted.get(operation.name)
    return [
      operation.name,
      { accepted: known ?? operation, isNew: !known, diff: accepting.diff(known, operation) },
    ]
  })
  return { operations, changed: new Map(changed), isProvisional }
}

/** Whether this document is the one that the store was last compared with. */
export async function isLastCompared(
  storage: SourceStorage,
  { entry, document }: Pick<CompareOptions, 'entry' | 'document'>,
): Promise<boolean> {
  return (await accepting.readState(storage, entry))?.digest === document.digest
}

/**
 * Whether a new operation may be accepted by itself: it goes to a server that others go to, with the same schemes.
 * Otherwise a person who changes the document could send the credentials of the API elsewhere.
 */
function newcomerTest(accepted: readonly CompiledOperation[]): (operation: CompiledOperation) => boolean {
  if (accepted.length === 0) return () => true
  const servers = new Set(accepted.map((operation) => canonicalJson(operation.servers)))
  const schemes = new Map(accepted.flatMap((operation) => Object.entries(operation.schemes)))
  return (operation) =>
    servers.has(canonicalJson(operation.servers)) &&
    Object.entries(operation.schemes).every(([name, scheme]) => {
      const known = schemes.get(name)
      return known === undefined || canonicalJson(known) === canonicalJson(scheme)
    })
}

/** A name does not move when another operation comes that would have it too. */
function withKnownNames(
  operations: readonly CompiledOperation[],
  accepted: ReadonlyMap<string, CompiledOperation>,
): readonly CompiledOperation[] {
  const known = [...accepted.values()].map((operation) => [keyOf(operation), operation.name])
  const names = nameOperations(operations, Object.fromEntries(known))
  return operations.map((operation, at) =>
    operation.name === names[at] ? operation : { ...operation, name: names[at]! },
  )
}

interface State extends ComparedState<CompiledOperation> {
  readonly compiler: number
  /** Whether an operation has another name than its document alone would give it. */
  readonly isRenamed: boolean
}

const accepting = acceptedDefinitions<CompiledOperation, State>({
  stateKind: STATE_KIND,
  acceptedKind: ACCEPTED_KIND,
  member: 'operation',
  definitionOf,
  members: MEMBERS,
  // Members that an earlier version did not write are empty.
  restore: (operation) => ({
    ...operation,
    schemes: operation.schemes ?? {},
    servers: operation.servers ?? [],
  }),
})

export const operationChanges: SourceChanges = accepting.changes

/** What is covered when a person accepts an operation. */
function definitionOf(operation: CompiledOperation): Record<string, unknown> {
  const { summary, description, method, path, servers, security, schemes, isDeprecated } = operation
  const { input, output, parameters, body } = operation
  return {
    description: [summary, description].filter((each) => each !== undefined).join('\n\n'),
    method,
    path,
    servers,
    // The schemes say where credentials go.
    security: security.length === 0 ? security : { alternatives: security, schemes },
    isDeprecated,
    input: { ...input, parameters, body },
    output,
  }
}
