/** Checked by `tsc --noEmit`, never run. */
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import { zodToJsonSchema } from 'zod-to-json-schema'
import { z as z3 } from 'zod3'
import {
  defineTool,
  partialResult,
  toolOutput,
  type Crib,
  type Surface,
  type ToolDraft,
  type ToolOptions,
} from 'toolcrib'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_value: A, is: Equal<A, B>): boolean => is

const named = { name: 't', description: 'T.' } as const
interface Page {
  page: number
  size: number
}

const drafts: ToolDraft[] = [
  defineTool({
    ...named,
    input: z.object({ page: z.string().transform(Number), size: z.number().default(10) }),
    output: z.object({ rows: z.array(z.string()) }),
    isReadOnly: (input) => same<typeof input, Page>(input, true),
    validate: (input) => (same<typeof input, Page>(input, true) ? undefined : 'no'),
    toModel: (output) => same<typeof output, { rows: string[] }>(output, true),
    execute(input) {
      same<typeof input, Page>(input, true)
      return { rows: [] }
    },
  }),
  defineTool({
    ...named,
    input: {
      validator: z3.object({ page: z3.string().transform(Number), size: z3.number().default(10) }),
      jsonSchema: zodToJsonSchema,
    },
    execute: (input) => same<typeof input, Page>(input, true),
  }),
  defineTool({
    ...named,
    input: toStandardJsonSchema(
      v.object({ page: v.pipe(v.string(), v.transform(Number)), size: v.optional(v.number(), 10) }),
    ),
    execute: (input) => same<typeof input, Page>(input, true),
  }),
  defineTool({
    ...named,
    input: type({ page: 'string.numeric.parse', size: 'number = 10' }),
    execute: (input) => same<typeof input, Page>(input, true),
  }),
  defineTool({
    ...named,
    input: {
      jsonSchema: {
        type: 'object',
        properties: { path: { type: 'string' }, mode: { enum: ['read', 'write'] } },
        required: ['path'],
        additionalProperties: false,
      },
    },
    classifierInput: ({ path }) => path,
    execute: (input) => same<typeof input, { path: string; mode?: 'read' | 'write' }>(input, true),
  }),
  defineTool({ ...named, execute: (input) => same<typeof input, unknown>(input, true) }),
  defineTool({
    ...named,
    output: z.object({ n: z.number() }),
    async *execute(_input, { progress, signal }) {
      progress('x')
      yield 'a step'
      yield { percent: 10 }
      yield partialResult(1)
      return { n: signal.aborted ? 0 : 1 }
    },
  }),
  defineTool({
    ...named,
    output: z.object({ n: z.number() }),
    // @ts-expect-error the output schema has another type
    execute: () => ({ n: 'one' }),
  }),
  // @ts-expect-error a description is needed
  defineTool({ name: 't', execute: () => 1 }),
  // @ts-expect-error so is an executor
  defineTool({ ...named }),
]

const paged = defineTool({
  ...named,
  input: z.object({ page: z.string().transform(Number), size: z.number().default(10) }),
  output: z.object({ rows: z.array(z.string()) }),
  execute: () => ({ rows: [] }),
})

const add = defineTool({
  ...named,
  input: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => ({ sum: a + b }),
})
const stepwise = defineTool({
  ...named,
  async *execute() {
    yield 'a step'
    return { at: new Date(), left: undefined as number | undefined, list: [1], say: () => 'no data' }
  },
})
const says = defineTool({ ...named, execute: () => 'a text' })
const counts = defineTool({ ...named, execute: () => 3 })
const nothing = defineTool({ ...named, execute: () => {} })
const draws = defineTool({ ...named, execute: () => Buffer.from('') })
const either = defineTool({ ...named, execute: () => (Math.random() > 1 ? 'none' : { found: true }) })
const wrapped = defineTool({ ...named, execute: () => toolOutput({ structured: { a: 1 } }) })
const summed = defineTool({ ...named, execute: () => ({ summary: 'x' }) })
const named4 = defineTool({ ...named, output: z.string(), execute: () => 'x' })

/**
 * Without an output schema, a call is typed by the function's return value as it is in the result: as JSON, and not at
 * all for a text.
 */
export async function callInferred(crib: Crib, surface: Surface): Promise<void> {
  const sum = (await crib.call(surface, add, { a: 1, b: 2 })).structured_content
  same<typeof sum, { sum: number } | undefined>(sum, true)
  const steps = (await crib.call(surface, stepwise, {})).structured_content
  same<typeof steps, { at: string; list: number[]; left?: number } | undefined>(steps, true)
  const text = (await crib.call(surface, says, {})).structured_content
  same<typeof text, undefined>(text, true)
  const count = (await crib.call(surface, counts, {})).structured_content
  same<typeof count, number | undefined>(count, true)
  const none = (await crib.call(surface, nothing, {})).structured_content
  same<typeof none, undefined>(none, true)
  const bytes = (await crib.call(surface, draws, {})).structured_content
  same<typeof bytes, undefined>(bytes, true)
  const found = (await crib.call(surface, either, {})).structured_content
  same<typeof found, { found: boolean } | undefined>(found, true)
  const free = (await crib.call(surface, wrapped, {})).structured_content
  same<typeof free, unknown>(free, true)
  const own = (await crib.call(surface, summed, {})).structured_content
  same<typeof own, { summary: string } | undefined>(own, true)
  const named = (await crib.call(surface, named4, {})).structured_content
  same<typeof named, undefined>(named, true)
}

/** A call is typed by its tool. */
export async function callTyped(crib: Crib, surface: Surface): Promise<void> {
  const { structured_content } = await crib.call(surface, paged, { page: '1' })
  same<typeof structured_content, { rows: string[] } | undefined>(structured_content, true)
  // @ts-expect-error for callers, a page is a text
  await crib.call(surface, paged, { page: 1 }, { nativeCallId: 'call_1' })
}

// At most two generics, one for each schema.
type AtMostTwo = ToolOptions<never, never>
// @ts-expect-error a third is too many
type Third = ToolOptions<never, never, never>

export type { AtMostTwo, Third }
export { drafts }
