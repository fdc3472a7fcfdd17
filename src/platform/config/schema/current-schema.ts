import type { CheckedSchema } from './checked-schema.js'
import { configSchema } from './config-schema.js'
import { sourceSections } from '../source-sections.js'

/** The schema of the config with the sections of all kinds of sources that this process knows. */
export function currentSchema(): CheckedSchema {
  const added = sourceSections().filter(({ key }) => !Object.hasOwn(configSchema.properties, key))
  if (added.length === 0) return configSchema
  const properties = Object.fromEntries(added.map(({ key, schema }) => [key, schema]))
  return { ...configSchema, properties: { ...configSchema.properties, ...properties } }
}
