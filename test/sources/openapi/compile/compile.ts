import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { JsonSchema } from '../../../../src/contract/json-schema.js'
import { compileDocument } from '../../../../src/sources/openapi/compile/compile-document.js'
import type { CompiledDocument, CompiledOperation } from '../../../../src/sources/openapi/compiled.js'
import { loadDocument } from '../../../../src/sources/openapi/document/load-document.js'

type JsonObject = Readonly<Record<string, unknown>>

export const ADDRESS = 'file:///apis/api.yaml'

export interface CompileTextOptions {
  readonly address?: string
  /** Other documents, by address. */
  readonly others?: Readonly<Record<string, string>>
}

/** Compiles a document that is given as a value, or as a text in JSON or YAML. */
export async function compile(
  document: string | JsonObject,
  { address = ADDRESS, others = {} }: CompileTextOptions = {},
): Promise<CompiledDocument> {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  const loaded = await loadDocument({
    address,
    text,
    async loadText(wanted) {
      const found = others[wanted]
      if (found === undefined) throw new Error('there is no such file')
      return found
    },
  })
  return compileDocument(loaded)
}

/** A document with one operation, `POST /things`. Members of the operation and of the document can be given. */
export function documentOf(operation: JsonObject, document: JsonObject = {}): JsonObject {
  return {
    openapi: '3.0.3',
    info: { title: 'Things', version: '1' },
    paths: { '/things': { post: operation } },
    ...document,
  }
}

/** The only operation of a document. */
export async function compileOne(
  operation: JsonObject,
  document: JsonObject = {},
): Promise<CompiledOperation> {
  const { operations } = await compile(documentOf(operation, document))
  if (operations.length !== 1) throw new Error(`There are ${operations.length} operations.`)
  return operations[0]!
}

/** What the input of an operation says about its body, where its schema is this one. */
export async function bodySchemaOf(schema: unknown, document: JsonObject = {}): Promise<JsonSchema> {
  const { input } = await compileOne(
    { requestBody: { required: true, content: { 'application/json': { schema } } } },
    document,
  )
  const { properties, $defs } = input as { properties: { body: JsonSchema }; $defs?: JsonSchema }
  return $defs ? { ...properties.body, $defs } : properties.body
}

/** The output of an operation whose response has this schema. */
export async function outputOf(schema: unknown, document: JsonObject = {}): Promise<JsonSchema | undefined> {
  const { output } = await compileOne(
    { responses: { 200: { description: '', content: { 'application/json': { schema } } } } },
    document,
  )
  return output
}

/** Whether a schema accepts a value. Throws where Ajv cannot use the schema. */
export function accepts(schema: JsonSchema, value: unknown): boolean {
  return validatorOf(schema)(value)
}

/** One for all: compiling the meta-schema takes longer than compiling most schemas. */
const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: true, addUsedSchema: false })
formats.default(ajv, { mode: 'full' })

export function validatorOf(schema: JsonSchema): (value: unknown) => boolean {
  const validate = ajv.compile(schema)
  ajv.removeSchema(schema)
  return validate
}

/** All `$ref`s in a schema, without what looks like one in its data. */
export function referencesIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(referencesIn)
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([name, value]) => {
    if (name === '$ref' && typeof value === 'string') return [value]
    if (['default', 'enum', 'const'].includes(name)) return []
    const isMap = ['properties', 'patternProperties', 'dependentSchemas', '$defs'].includes(name)
    return isMap ? Object.values(value as object).flatMap(referencesIn) : referencesIn(value)
  })
}
