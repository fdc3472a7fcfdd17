export interface SchemaUnusable extends Error {
  code: 'toolcrib.schema_unusable'
}

/** `because` completes the sentence "The schema cannot be used because …". */
export function schemaUnusable(because: string, cause?: unknown): SchemaUnusable {
  const error = new Error(`The schema cannot be used because ${because}.`, { cause })
  return Object.assign(error, { code: 'toolcrib.schema_unusable' as const })
}
