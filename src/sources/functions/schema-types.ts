import type { FromSchema, JsonSchema } from '../../contract/json-schema.js'
import type { Validate } from '../../platform/validation/validated.js'

/** The parts of Standard Schema and Standard JSON Schema (version 1) that we read; see standardschema.dev. */
export interface StandardProps {
  readonly version: 1
  readonly vendor: string
  readonly types?: { readonly input: unknown; readonly output: unknown } | undefined
  readonly validate?: (value: unknown) => StandardResult | PromiseLike<StandardResult>
  readonly jsonSchema?: {
    readonly input: (options: { readonly target: 'draft-2020-12' }) => object
    readonly output: (options: { readonly target: 'draft-2020-12' }) => object
  }
}

export interface StandardResult {
  readonly value?: unknown
  readonly issues?: readonly LibraryIssue[] | undefined
}

export interface LibraryIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

interface StandardSchema {
  readonly '~standard': StandardProps
}

/** zod from 4.2 on, arktype from 2.1.28 on, valibot's `toStandardJsonSchema(schema)`. */
interface StandardJsonForm {
  readonly '~standard': StandardProps & { readonly jsonSchema: NonNullable<StandardProps['jsonSchema']> }
}

/** Libraries that could export a JSON Schema before the standard existed: older arktype, older zod 4. */
type SelfStatingForm = StandardSchema & ({ toJsonSchema(): object } | { toJSONSchema(): object })

/** Turns a value into what the executor receives, or throws. */
type Parser = (value: never) => unknown

export type Validator = StandardSchema | { safeParse: Parser } | { parse: Parser } | Parser

/** Any validator, with the JSON Schema that describes the same values to the model. */
export interface PairForm {
  readonly validator: Validator
  /**
   * The JSON Schema, or a function that makes it from the validator: `toJsonSchema`, `zodToJsonSchema`,
   * `z.toJSONSchema`.
   */
  readonly jsonSchema: object | ((validator: never) => object)
}

export interface PlainForm {
  readonly jsonSchema: object
  readonly validator?: undefined
}

/** The forms in which an author may give a schema. */
export type SchemaForm = StandardJsonForm | SelfStatingForm | PairForm | PlainForm

export interface StatedSchema {
  jsonSchema: JsonSchema
  /** The library that wrote it: `zod`, `valibot`, `arktype`, …; `json-schema` when it was written by hand. */
  vendor: string
  /** Absent where the JSON Schema alone decides what is valid. */
  validate?: Validate
}

type StandardTypes<Schema> = Schema extends { readonly '~standard': { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly input: infer Input; readonly output: infer Output }
    ? { input: Input; output: Output }
    : { input: unknown; output: unknown }
  : never

type CheckedOutput<Checker> = Checker extends StandardSchema
  ? Checker['~standard'] extends { readonly validate: Parser }
    ? StandardTypes<Checker>['output']
    : StandardTypes<Checker>['input']
  : Checker extends { parse: (value: never) => infer Output }
    ? Awaited<Output>
    : Checker extends { safeParse: (value: never) => infer Result }
      ? Extract<Awaited<Result>, { success: true }> extends { data: infer Output }
        ? Output
        : unknown
      : Checker extends (value: never) => infer Output
        ? Awaited<Output>
        : unknown

type CheckedInput<Checker> = Checker extends StandardSchema
  ? StandardTypes<Checker>['input']
  : Checker extends { readonly _input: infer Input }
    ? Input
    : Checker extends (value: infer Input) => unknown
      ? Input
      : unknown

/** What the executor receives: the validator's output; `unknown` without a schema. */
export type InputOf<Form> = [Form] extends [never]
  ? unknown
  : Form extends StandardSchema
    ? CheckedOutput<Form>
    : Form extends { readonly validator: infer Checker extends Validator }
      ? CheckedOutput<Checker>
      : Form extends { readonly jsonSchema: infer Schema }
        ? FromSchema<Schema>
        : unknown

/** What the caller passes: the validator's input, before transforms and defaults. */
export type ModelInputOf<Form> = [Form] extends [never]
  ? unknown
  : Form extends StandardSchema
    ? CheckedInput<Form>
    : Form extends { readonly validator: infer Checker extends Validator }
      ? CheckedInput<Checker>
      : Form extends { readonly jsonSchema: infer Schema }
        ? FromSchema<Schema>
        : unknown

/** What a tool returns: the output side, which the JSON Schema of an output describes too. */
export type OutputOf<Form> = InputOf<Form>
