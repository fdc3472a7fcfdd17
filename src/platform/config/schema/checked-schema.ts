/** The JSON Schema keywords that are checked. `configSchema` uses no others; a test checks this. */
export interface CheckedSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean'
  readonly const?: string | false
  readonly enum?: readonly string[]
  readonly anyOf?: readonly CheckedSchema[]
  readonly properties?: { readonly [key: string]: CheckedSchema }
  readonly required?: readonly string[]
  /** A schema for the values of all other keys. */
  readonly additionalProperties?: false | CheckedSchema
  readonly items?: CheckedSchema
  readonly minimum?: number
  readonly minLength?: number
  readonly pattern?: string
  readonly description?: string
  /** What one entry is called in sentences. */
  readonly title?: string
}
