/** A JSON Schema (2020-12), loosely typed on purpose: the validator interprets it. */
export type JsonSchema = { readonly [keyword: string]: unknown }

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }

type Primitive<Name> = Name extends 'string'
  ? string
  : Name extends 'number' | 'integer'
    ? number
    : Name extends 'boolean'
      ? boolean
      : Name extends 'null'
        ? null
        : unknown

type RequiredKey<Schema> = Schema extends { readonly required: readonly (infer Key)[] } ? Key & string : never

type ObjectOf<Properties, Required extends string> = {
  -readonly [Key in keyof Properties as Key extends Required ? Key : never]: FromSchema<Properties[Key]>
} & {
  -readonly [Key in keyof Properties as Key extends Required ? never : Key]?: FromSchema<Properties[Key]>
}

type Flat<Type> = Type extends object ? { [Key in keyof Type]: Type[Key] } : Type

/** The TypeScript type that a JSON Schema written `as const` describes. Keywords it cannot express become `unknown`. */
export type FromSchema<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly anyOf: readonly (infer Option)[] }
      ? FromSchema<Option>
      : Schema extends { readonly oneOf: readonly (infer Option)[] }
        ? FromSchema<Option>
        : Schema extends { readonly type: readonly (infer Name)[] }
          ? Primitive<Name>
          : Schema extends { readonly type: 'array' }
            ? Schema extends { readonly items: infer Item }
              ? FromSchema<Item>[]
              : unknown[]
            : Schema extends { readonly type: 'object' }
              ? Schema extends { readonly properties: infer Properties }
                ? Flat<ObjectOf<Properties, RequiredKey<Schema>>>
                : Schema extends { readonly additionalProperties: infer Value extends JsonSchema }
                  ? Record<string, FromSchema<Value>>
                  : Record<string, unknown>
              : Schema extends { readonly type: infer Name }
                ? Primitive<Name>
                : unknown
