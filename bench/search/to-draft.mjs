import { defineTool } from '../../dist/index.js'

/** The names that other lists of tools use for the types of JSON Schema. A name in neither column has no type. */
const TYPES = {
  ...Object.fromEntries(
    ['object', 'string', 'number', 'integer', 'boolean', 'array', 'null'].map((type) => [type, type]),
  ),
  dict: 'object',
  map: 'object',
  str: 'string',
  text: 'string',
  float: 'number',
  double: 'number',
  int: 'integer',
  long: 'integer',
  bool: 'boolean',
  list: 'array',
  tuple: 'array',
  set: 'array',
}
/** A tool needs a description; this one holds nothing that could be found. */
const NO_DESCRIPTION = '-'

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value) => typeof value === 'string' && value.trim() !== ''

/** A tool of the package from a line of a tools file. */
export function toDraft({ id, name, title, description, namespace, server, ...rest }) {
  const space = [namespace, server].find(isText)
  return defineTool({
    ...(space && { namespace: space }),
    name,
    toolId: id,
    ...(isText(title) && { title }),
    description: isText(description) ? description : NO_DESCRIPTION,
    input: { jsonSchema: toObjectSchema(rest.parameters ?? rest.inputSchema ?? rest.input_schema) },
    execute: () => undefined,
  })
}

/** A whole schema, the map of its properties alone, or a list of named parameters. */
function toObjectSchema(parameters) {
  if (Array.isArray(parameters)) {
    const named = parameters.filter((parameter) => isObject(parameter) && isText(parameter.name))
    return toSchema({
      type: 'object',
      properties: Object.fromEntries(named.map(({ name, ...schema }) => [name, schema])),
    })
  }
  if (!isObject(parameters)) return { type: 'object' }
  const isSchema = isObject(parameters.properties) || typeof parameters.type === 'string'
  return { ...toSchema(isSchema ? parameters : { properties: parameters }), type: 'object' }
}

/** Only what search reads and a schema allows: foreign lists hold keywords with another meaning. */
function toSchema(foreign) {
  if (!isObject(foreign)) return {}
  const schema = {}
  const type = typeof foreign.type === 'string' ? TYPES[foreign.type.toLowerCase()] : undefined
  if (type) schema.type = type
  if (isText(foreign.description)) schema.description = foreign.description
  if (Array.isArray(foreign.enum) && foreign.enum.length > 0) schema.enum = [...new Set(foreign.enum)]
  if (isObject(foreign.items)) schema.items = toSchema(foreign.items)
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(foreign[key]) && foreign[key].length > 0) schema[key] = foreign[key].map(toSchema)
  if (isObject(foreign.properties))
    schema.properties = Object.fromEntries(
      Object.entries(foreign.properties).map(([name, property]) => [name, toSchema(property)]),
    )
  return schema
}
