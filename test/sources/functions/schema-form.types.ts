/** Checked by `tsc --noEmit`, never run. */
import { toJsonSchema, toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import { zodToJsonSchema } from 'zod-to-json-schema'
import { z as z3 } from 'zod3'
import type { JsonSchema } from '../../../src/contract/json-schema.js'
import type {
  InputOf,
  ModelInputOf,
  OutputOf,
  SchemaForm,
} from '../../../src/sources/functions/schema-form.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Forms<Form> = { executor: InputOf<Form>; model: ModelInputOf<Form>; output: OutputOf<Form> }
type Expected<Executor, Model> = { executor: Executor; model: Model; output: Executor }

declare function formsOf<const Form extends SchemaForm>(form: Form): Forms<Form>
const check = <Same extends true>(same?: Same): Same | undefined => same

type After = { page: number; size: number }
type Before = { page: string; size?: number | undefined }

const zodForms = formsOf(z.object({ page: z.string().transform(Number), size: z.number().default(10) }))
check<Equal<typeof zodForms, Expected<After, Before>>>()

const arktypeForms = formsOf(type({ page: 'string.numeric.parse', size: 'number = 10' }))
check<Equal<typeof arktypeForms, Expected<After, { page: string; size?: number }>>>()

const valibot = v.object({ page: v.pipe(v.string(), v.transform(Number)), size: v.optional(v.number(), 10) })
const valibotForms = formsOf(toStandardJsonSchema(valibot))
check<Equal<typeof valibotForms, Expected<After, Before>>>()
const valibotPair = formsOf({ validator: valibot, jsonSchema: toJsonSchema })
check<Equal<typeof valibotPair, Expected<After, Before>>>()
const valibotWritten = formsOf({ validator: valibot, jsonSchema: toJsonSchema(valibot) })
check<Equal<typeof valibotWritten, Expected<After, Before>>>()

const zod3 = z3.object({ page: z3.string().transform(Number), size: z3.number().default(10) })
const zod3Pair = formsOf({ validator: zod3, jsonSchema: zodToJsonSchema })
check<Equal<typeof zod3Pair, Expected<After, Before>>>()
// `as never`: zod-to-json-schema here sees another copy of zod 3, and comparing the two exhausts the compiler.
const zod3Written = formsOf({ validator: zod3, jsonSchema: zodToJsonSchema(zod3 as never) })
check<Equal<typeof zod3Written, Expected<After, Before>>>()
const zodPair = formsOf({ validator: z.object({ a: z.string() }), jsonSchema: z.toJSONSchema })
check<Equal<typeof zodPair, Expected<{ a: string }, { a: string }>>>()

const functionPair = formsOf({
  validator: async (value: { a: string }) => ({ a: Number(value.a) }),
  jsonSchema: { type: 'object' },
})
check<Equal<typeof functionPair, Expected<{ a: number }, { a: string }>>>()

const parsePair = formsOf({ validator: { parse: (_value: unknown) => 1 as number }, jsonSchema: {} })
check<Equal<typeof parsePair, Expected<number, unknown>>>()

const plain = formsOf({
  jsonSchema: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      mode: { enum: ['read', 'write'] },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['path', 'mode'],
    additionalProperties: false,
  },
})
type Plain = { path: string; mode: 'read' | 'write'; tags?: string[] }
check<Equal<typeof plain, Expected<Plain, Plain>>>()

declare const loaded: JsonSchema
const unknownPlain = formsOf({ jsonSchema: loaded })
check<Equal<typeof unknownPlain, Expected<unknown, unknown>>>()

check<Equal<Forms<never>, Expected<unknown, unknown>>>()
check<Equal<InputOf<SchemaForm>, unknown>>()

// @ts-expect-error zod 3 cannot export its JSON Schema
formsOf(zod3)
// @ts-expect-error neither can a bare valibot schema
formsOf(valibot)
// @ts-expect-error a JSON Schema must be wrapped
formsOf({ type: 'object', properties: {} })
// @ts-expect-error a validator alone gives the model no schema
formsOf({ validator: zod3 })
