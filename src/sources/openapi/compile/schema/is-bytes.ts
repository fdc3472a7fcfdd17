type JsonObject = Readonly<Record<string, unknown>>

/**
 * Whether a schema describes bytes: `format: binary` before 3.1, `type: file` in 2.0. Since 3.1 a part of a body may say
 * so by `contentMediaType` alone; in JSON that is a text.
 */
export function isBytes(schema: JsonObject, { isPart }: { isPart: boolean }): boolean {
  const { type, format, contentMediaType, contentEncoding } = schema
  if (type === 'file') return true
  if (type !== undefined && type !== 'string' && !(Array.isArray(type) && type.includes('string')))
    return false
  if (format === 'binary') return true
  return (
    isPart &&
    typeof contentMediaType === 'string' &&
    contentEncoding === undefined &&
    !/^\s*text\/|json|xml|yaml/i.test(contentMediaType)
  )
}
