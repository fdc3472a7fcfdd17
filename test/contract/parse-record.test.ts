import { deepStrictEqual } from 'node:assert'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRecord, schemas, type CoreObject } from '../../src/contract/index.js'
import { recordOf } from './from-standard.js'
import { standardIsThere, standardSchemas } from './standard-schemas.js'

const event = {
  schema_version: '0.2.0',
  event_id: 'evt_1',
  event_type: 'tool.declared',
  source: 'test',
  time: '2026-01-01T00:00:00.000Z',
}

describe('parseRecord', () => {
  it('returns the same value', () => {
    const parsed = parseRecord('tool_event', event)
    expect(parsed.ok && parsed.record).toBe(event)
  })

  it('keeps unknown fields and values', () => {
    const foreign = { ...event, event_type: 'tool.from.the.future', schema_version: '0.9.0', mood: ['good'] }
    expect(parseRecord('tool_event', foreign)).toEqual({ ok: true, record: foreign })
  })

  it.each([null, undefined, 'text', 7, [], true])('refuses %j as a record', (value) => {
    expect(parseRecord('tool_event', value)).toMatchObject({ ok: false, problems: [{ path: '' }] })
  })

  it('names every problem with its path', () => {
    const parsed = parseRecord('tool_progress', {
      schema_version: '0.2.0',
      progress_id: 'p',
      invocation_id: 'i',
      sequence: 1.5,
      status: 'running',
      percent: 101,
      partial_result_refs: ['a', 2],
    })
    expect(parsed).toEqual({
      ok: false,
      problems: [
        { path: '/timestamp', message: 'is missing' },
        { path: '/sequence', message: 'must be integer, is number' },
        { path: '/percent', message: 'must be at most 100' },
        { path: '/partial_result_refs/1', message: 'must be string, is number' },
      ],
    })
  })

  it('accepts only members of the lists that the standard’s schemas close', () => {
    expect(
      parseRecord('tool_hook', { schema_version: '0.2.0', hook_id: 'h', hook_event: 'at_lunch' }),
    ).toMatchObject({
      ok: false,
      problems: [{ path: '/hook_event' }],
    })
  })

  it('ignores inherited fields', () => {
    expect(parseRecord('tool_event', Object.create(event))).toMatchObject({ ok: false })
    const disguised: unknown = JSON.parse(`{"__proto__": ${JSON.stringify(event)}}`)
    expect(parseRecord('tool_event', disguised)).toMatchObject({ ok: false })
  })

  it('reads undefined as absent', () => {
    expect(parseRecord('tool_event', { ...event, subject: undefined }).ok).toBe(true)
    expect(parseRecord('tool_event', { ...event, source: undefined }).ok).toBe(false)
  })

  it.each(['toString', '__proto__', 'tool_hammer'])('says that %s is no core object', (name) => {
    expect(parseRecord(name as CoreObject, event)).toMatchObject({ ok: false, problems: [{ path: '' }] })
  })
})

describe.skipIf(!standardIsThere)('parseRecord compared with the standard', () => {
  it.each(standardSchemas)(
    '%s: accepts what the standard accepts and returns it unchanged',
    (object, standard) => {
      const accepts = new Ajv2020({ strict: false }).compile(standard)
      fc.assert(
        fc.property(recordOf(standard, Object.keys(schemas[object].properties)), (record) => {
          expect(accepts(record)).toBe(true)
          const before = structuredClone(record)
          const parsed = parseRecord(object, record)
          expect(parsed).toMatchObject({ ok: true })
          expect(parsed.ok && parsed.record).toBe(record)
          deepStrictEqual(record, before)
        }),
      )
    },
  )

  it.each(standardSchemas)('%s: refuses what the standard refuses, and nothing else', (object, standard) => {
    const accepts = new Ajv2020({ strict: false }).compile(standard)
    const field = fc.constantFrom(...Object.keys(standard.properties))
    const change = fc.oneof(fc.constant(undefined), fc.jsonValue({ maxDepth: 2 }))
    fc.assert(
      fc.property(recordOf(standard, []), field, change, (record, name, value) => {
        const changed: Record<string, unknown> = { ...record, [name]: value }
        if (value === undefined) delete changed[name]
        expect(parseRecord(object, changed).ok).toBe(accepts(changed))
      }),
    )
  })
})
