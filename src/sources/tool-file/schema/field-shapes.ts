/** A text that is not blank. */
export const text = { type: 'string', pattern: String.raw`\S` } as const
export const texts = { type: 'array', items: text } as const
export const textOrTexts = { anyOf: [text, texts] } as const

/** The same schema with a description. */
export const described = <Schema extends object>(
  schema: Schema,
  description: string,
): Schema & { description: string } => ({
  ...schema,
  description,
})

/** A condition on the value of one field, and what then holds. */
export function when(field: string, value: string, rest: object): object {
  // oxlint-disable-next-line no-thenable -- A keyword of JSON Schema; nobody awaits it.
  return { if: { properties: { [field]: { const: value } }, required: [field] }, then: rest }
}
