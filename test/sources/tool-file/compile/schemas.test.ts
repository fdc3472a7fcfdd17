import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { agentFileSchema } from '../../../../src/sources/tool-file/schema/agent-file-schema.js'
import { toolFileSchema } from '../../../../src/sources/tool-file/schema/tool-file-schema.js'
import { schemaOpinion } from './schema-opinion.js'
import { validFiles } from './valid-files.js'

interface Described {
  readonly description?: string
  readonly properties?: Record<string, Described>
}

describe('the schemas for editors', () => {
  it.each(Object.entries(validFiles()).filter(([file]) => file.endsWith('.md')))(
    'accept %s',
    (file, text) => {
      expect(schemaOpinion(file, text)).toEqual({ ok: true, errors: [] })
    },
  )

  it('describe every field and every keyword', () => {
    const { properties, definitions } = toolFileSchema as unknown as Record<string, Record<string, Described>>
    const lists = [properties, properties?.['transport']?.properties, properties?.['meta']?.properties]
    for (const name of ['schemaObject', 'topLevel']) lists.push(definitions?.[name]?.properties)
    lists.push((agentFileSchema as unknown as Described).properties)
    for (const list of lists) {
      expect(Object.keys(list ?? {})).not.toEqual([])
      for (const [name, field] of Object.entries(list ?? {}))
        expect([name, field.description]).toEqual([name, expect.any(String)])
    }
  })

  it.each([
    ['tool_file', toolFileSchema],
    ['agent_file', agentFileSchema],
  ])('the shipped %s schema is that of the code', (name, schema) => {
    const shipped = new URL(`../../../../schemas/${name}.schema.json`, import.meta.url)
    expect(readFileSync(shipped, 'utf8')).toBe(`${JSON.stringify(schema, null, 2)}\n`)
  })
})
