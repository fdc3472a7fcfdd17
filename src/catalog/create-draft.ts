import type { DraftExecution, DraftInput, ToolDraft } from './tool-draft.js'

/** What a source has to say of a tool. What it leaves out is as for every tool. */
export type DraftParts = Pick<ToolDraft, 'namespace' | 'name' | 'description' | 'kind' | 'execute'> &
  Optional<ToolDraft> & {
    readonly input: Pick<DraftInput, 'modelSchema'> & Optional<DraftInput>
    readonly execution: Pick<DraftExecution, 'kind'> & Optional<DraftExecution>
  }

type Optional<Parts> = {
  [Name in keyof Omit<Parts, 'input' | 'execution'>]?: Parts[Name & keyof Parts] | undefined
}

/** A draft of any kind of source: what all drafts share by default is said here and nowhere else. */
export function createDraft({ input, execution, ...parts }: DraftParts): ToolDraft {
  return {
    ...DEFAULTS,
    ...said(parts),
    input: { ...INPUT_DEFAULTS, fillDefaults: input.validate === undefined, ...said(input) },
    execution: { ...EXECUTION_DEFAULTS, ...said(execution) },
  }
}

/** No facts, permissions or reach: what nobody states counts as the stricter of what it may be. */
const DEFAULTS = {
  aliases: [],
  lifecycle: 'available',
  capabilityRefs: [],
  externalMappings: [],
  output: {},
  facts: {},
  permission: {},
  availability: {},
  rendering: {},
  // A probe by a call that would be denied learns nothing.
  denyBeforeIo: true,
} as const satisfies Partial<ToolDraft>

const INPUT_DEFAULTS = {
  vendor: 'json-schema',
  sensitiveFields: [],
  internalOnlyFields: [],
  examples: [],
  mutationPolicy: 'allow',
  argumentMode: 'json',
  pathFields: [],
  urlFields: [],
} as const satisfies Partial<DraftInput>

const EXECUTION_DEFAULTS = { supports: [] } as const satisfies Partial<DraftExecution>

type Said<Parts> = { [Name in keyof Parts]: Exclude<Parts[Name], undefined> }

/** A member that is there and undefined is one that was left out. */
function said<Parts extends object>(parts: Parts): Said<Parts> {
  const entries = Object.entries(parts).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Said<Parts>
}
