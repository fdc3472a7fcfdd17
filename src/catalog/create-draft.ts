import { personAnswer, personFacts, personOutput } from './person-answer.js'
import type { DraftExecution, DraftInput, ToolDraft } from './tool-draft.js'

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

/** Creates a draft for any kind of source, with the defaults that all drafts share. */
export function createDraft({ input, execution, ...parts }: DraftParts): ToolDraft {
  return withDefaults(
    {
      ...parts,
      input: withDefaults(
        { ...input, fillDefaults: input.fillDefaults ?? input.validate === undefined },
        INPUT_DEFAULTS,
      ),
      execution: withDefaults({ ...execution }, EXECUTION_DEFAULTS),
      ...(parts.answeredBy && {
        output: personOutput(parts.output),
        facts: personFacts(parts.facts),
        execute: personAnswer,
      }),
    },
    DEFAULTS,
  ) as ToolDraft
}

/** No facts, permissions or reach: an unstated fact counts as the stricter value. */
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
  // A call that would be denied cannot be used as a probe.
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

/** Puts in what is undefined. The given object is changed: copying it once more takes time with thousands of tools. */
function withDefaults<Parts extends object, Defaults extends object>(
  parts: Parts,
  defaults: Defaults,
): Parts & Defaults {
  const filled = parts as Record<string, unknown>
  for (const name in defaults) filled[name] ??= defaults[name]
  return filled as Parts & Defaults
}
