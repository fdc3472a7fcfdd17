import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import {
  capabilityFields,
  coreObjects,
  schemas,
  toEmitSchema,
  toReadSchema,
  type JsonSchema,
} from '../../src/contract/index.js'
import { standardIsThere, standardSchemas } from './standard-schemas.js'

describe('our schemas', () => {
  it('are the 21 core objects', () => {
    expect(coreObjects).toHaveLength(21)
    expect(new Set(coreObjects.map((object) => schemas[object].$id)).size).toBe(21)
  })

  it.each(coreObjects)('%s compiles in both forms, strictly, and names its object', (object) => {
    const strict = { strict: true, allowUnionTypes: true }
    new Ajv2020(strict).compile(toEmitSchema(schemas[object]))
    new Ajv2020(strict).compile(toReadSchema(schemas[object]))
    expect(schemas[object].$id).toBe(`https://toolcrib.dev/schemas/${object}.schema.json`)
    expect(Object.keys(schemas[object].properties)).toContain('toolcrib')
  })

  it.each(coreObjects)('%s requires only fields that it has', (object) => {
    const emit = toEmitSchema(schemas[object])
    const properties = Object.keys(emit.properties as object)
    for (const name of (emit.required ?? []) as string[]) expect(properties).toContain(name)
  })

  it('have none of our keywords when emitted, and are not changed by it', () => {
    for (const object of coreObjects) {
      const before = JSON.stringify(schemas[object])
      expect(JSON.stringify(toEmitSchema(schemas[object]))).not.toContain('x-toolcrib')
      expect(JSON.stringify(toReadSchema(schemas[object]))).not.toContain('x-toolcrib')
      expect(JSON.stringify(schemas[object])).toBe(before)
    }
  })

  it('require every capability when emitted, not when read', () => {
    expect(capabilityFields).toHaveLength(13)
    expect(toEmitSchema(schemas.tool_execution_profile).required).toEqual([
      'schema_version',
      'execution_profile_id',
      'execution_kind',
      ...capabilityFields,
    ])
    expect(toReadSchema(schemas.tool_execution_profile).required).not.toContain('sandboxed')
  })

  it('refuse to emit what the standard would accept', () => {
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(toEmitSchema(schemas.tool_result))
    const result = {
      schema_version: '0.2.0',
      result_id: 'res_1',
      invocation_id: 'inv_1',
      status: 'succeeded',
      content: [{ type: 'text', text: 'done' }],
      created_at: '2026-01-01T00:00:00.000Z',
      somebody_elses: true,
    }
    expect(validate(result)).toBe(true)
    expect(validate({ ...result, status: 'splendid' })).toBe(false)
    expect(validate({ ...result, content: [{ type: 'poem' }] })).toBe(false)
    expect(validate({ ...result, error: { error_class: 'timeout' } })).toBe(false)
    expect(validate({ ...result, schema_version: '0.1.0' })).toBe(false)
  })
})

describe.skipIf(!standardIsThere)('compared with the standard', () => {
  it('all 15 of its schemas are compared', () => expect(standardSchemas).toHaveLength(15))

  it.each(standardSchemas)('%s requires the same', (object, standard) => {
    const ours = schemas[object] as { required?: readonly string[] }
    expect([...(ours.required ?? [])].sort()).toEqual([...standard.required].sort())
  })

  it.each(standardSchemas)('%s has every field, read as the standard has it', (object, standard) => {
    const read = toReadSchema(schemas[object]).properties as Record<string, JsonSchema>
    const emit = toEmitSchema(schemas[object]).properties as Record<string, JsonSchema>
    for (const [name, theirs] of Object.entries(standard.properties)) {
      expect(withoutWords(read[name]), name).toEqual(withoutWords(theirs))
      if (theirs.type !== undefined) expect(emit[name]?.type, name).toEqual(theirs.type)
    }
  })

  it.each(standardSchemas)(
    '%s leaves open on reading what the standard does not name',
    (object, standard) => {
      const read = toReadSchema(schemas[object]).properties as Record<string, JsonSchema>
      for (const name of Object.keys(read)) {
        if (!Object.hasOwn(standard.properties, name)) expect(withoutWords(read[name]), name).toEqual({})
      }
    },
  )
})

function withoutWords(schema: JsonSchema | undefined): unknown {
  if (schema === undefined) return undefined
  const { description: _words, ...rest } = schema
  return rest
}
