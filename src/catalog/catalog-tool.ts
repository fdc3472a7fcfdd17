import { createHash } from 'node:crypto'
import type { Validated } from '../platform/validation/validated.js'
import { canonicalJson } from '../platform/json/canonical-json.js'
import type { ArgumentReach } from '../policy/arguments/argument-reach.js'
import type { RuleTool } from '../policy/rules/rule-tool.js'
import { compileFacts, type CompiledFacts } from './facts.js'
import { providerName } from './provider-name.js'
import { toDeclaration } from './records/to-declaration.js'
import type { ToolDefaults } from './tool-defaults.js'
import type { ToolDraft } from './tool-draft.js'

type Check = (value: unknown) => Validated | Promise<Validated>

/** What the pipeline computes about a tool once and uses in every call. */
// A class, so that all tools have one hidden class: every call reads it.
class PreparedTool {
  model: Check | undefined = undefined
  runtime: Check | undefined = undefined
  output: Check | undefined = undefined
  mask: ((input: unknown) => unknown) | undefined = undefined
  /** Data of the event that records the selection of this tool. */
  selection: object | undefined = undefined
  /** The last decision that did not depend on the call, and the data of its event. */
  decision: { verdict: object; facts: object; mode: string; data: object } | undefined = undefined
  /** Fields of our own in the results of quick calls, by their milliseconds. */
  ownFields: readonly Record<string, unknown>[] | undefined = undefined
  /** The number of tokens that it takes in a prompt. */
  promptTokens: number | undefined = undefined
  /** What its schema and name say about paths among its arguments. */
  reach: ArgumentReach | undefined = undefined
  /** The tool as rules see it, at one revision of the catalog: another tool may share its names later. */
  ruleTool: { revision: number; tool: RuleTool } | undefined = undefined
}
export type { PreparedTool }

/** A tool in the catalog. Records that only some callers need are made on first use. */
export interface CatalogTool {
  readonly toolId: string
  readonly qualifiedName: string
  readonly providerName: string
  /** The source of the tool. */
  readonly source: string
  readonly draft: ToolDraft
  /** The crib's defaults for what the tool does not state. */
  readonly defaults?: ToolDefaults | undefined
  /** Changes with any change of the declaration or its profiles. */
  readonly fingerprint: string
  readonly facts: CompiledFacts
  readonly prepared: PreparedTool
  /** Which filters of a surface may apply to it: one bit each. */
  constraints: number | undefined
}

export function toolIdOf(draft: ToolDraft): string {
  return draft.toolId ?? `${draft.namespace}.${draft.name}`
}

export function createCatalogTool(
  source: string,
  draft: ToolDraft,
  defaults?: ToolDefaults | undefined,
): CatalogTool {
  return new KeptTool(source, draft, defaults)
}

// A class for its getters alone: otherwise each of 100,000 tools would carry its own closures.
class KeptTool implements CatalogTool {
  readonly toolId: string
  readonly source: string
  readonly draft: ToolDraft
  readonly defaults: ToolDefaults | undefined
  constraints: number | undefined = undefined
  #facts: CompiledFacts | undefined
  #fingerprint: string | undefined
  #providerName: string | undefined
  #prepared: PreparedTool | undefined

  constructor(source: string, draft: ToolDraft, defaults?: ToolDefaults | undefined) {
    this.toolId = toolIdOf(draft)
    this.source = source
    this.draft = draft
    this.defaults = defaults
  }

  get qualifiedName(): string {
    return `${this.draft.namespace}.${this.draft.name}`
  }

  get providerName(): string {
    return (this.#providerName ??= providerName(this.toolId))
  }

  /** Most of many tools are never called. */
  get prepared(): PreparedTool {
    return (this.#prepared ??= new PreparedTool())
  }

  get facts(): CompiledFacts {
    return (this.#facts ??= compileFacts(this.draft))
  }

  get fingerprint(): string {
    return (this.#fingerprint ??= fingerprintOf(this.source, this.draft))
  }
}

/**
 * Hash of the declaration and the inputs of its profiles; the profiles themselves would only repeat it. Cached with the
 * draft, so that many drafts can be prepared in steps before they are added at once.
 */
export function fingerprintOf(source: string, draft: ToolDraft): string {
  const known = fingerprints.get(draft)
  if (known?.source === source) return known.fingerprint
  const fingerprint = makeFingerprint(source, draft)
  fingerprints.set(draft, { source, fingerprint })
  return fingerprint
}

/** Of the source that asked last: hardly any draft is in two. */
const fingerprints = new WeakMap<ToolDraft, { readonly source: string; readonly fingerprint: string }>()

function makeFingerprint(source: string, draft: ToolDraft): string {
  const { facts, permission, permissionMatcher, execution, availability, denyBeforeIo, rendering } = draft
  const { pathFields, urlFields, commandField } = draft.input
  const said = [
    toDeclaration(new KeptTool(source, draft)),
    withRuleNames(facts),
    permission,
    execution,
    withRuleNames(availability),
    denyBeforeIo,
    permissionMatcher,
    rendering,
    { pathFields, urlFields, commandField, exitCode: draft.output.exitCode, hosts: draft.reach?.hosts },
    ownCodeOf(draft),
    ...personOf(draft),
  ]
  return `sha256:${createHash('sha256').update(canonicalJson(said)).digest('hex')}`
}

/** Nothing for other tools, whose fingerprints are stored in many places. */
function personOf({ answeredBy }: ToolDraft): object[] {
  if (!answeredBy) return []
  const { queue, reviewers, answers } = answeredBy
  return [{ answeredBy: 'person', queue, reviewers, answers: answers?.name }]
}

/** Which steps of a call the tool has its own code for. */
function ownCodeOf({ validateValues, preflight, classifierInput, output }: ToolDraft): boolean[] {
  return [validateValues, preflight, classifierInput, output.toModel].map((code) => code !== undefined)
}

/** Replaces functions by their names: that a fact depends on the input is public, how it does is not. */
function withRuleNames(facts: object): Record<string, unknown> {
  const named: Record<string, unknown> = {}
  for (const [name, rule] of Object.entries(facts)) {
    if (rule !== undefined) named[name] = typeof rule === 'function' ? `function:${name}` : rule
  }
  return named
}
