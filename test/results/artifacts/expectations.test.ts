import { describe, expect, it } from 'vitest'
import { defineHook, defineTool, toolOutput, type ArtifactExpectations, type NewArtifact } from 'toolcrib'
import { unmetExpectations } from '../../../src/results/artifacts/unmet-expectations.js'
import { collect, shownText } from '../../scenarios/open-crib.js'
import { make } from './make-artifacts.js'

describe('the artifacts that a tool promises', () => {
  it('[AT-OUTPUT-01] are in its declaration and its execution profile', async () => {
    const { crib } = await make(() => [], {
      more: { artifacts: { mediaTypes: ['text/csv'], names: ['report.csv'] } },
    })
    expect(crib.declaration('make')!.output_contract!.artifact_expectations).toEqual({
      min: 1,
      media_types: ['text/csv'],
      names: ['report.csv'],
    })
    expect(await crib.resolveRef('execution_profile:local.make')).toMatchObject({ supports_artifacts: true })
  })

  it('missing artifacts make a partial success that names them', async () => {
    const { crib, result } = await make(() => [{ name: 'notes.md', content: '# Notes' }], {
      more: { artifacts: { min: 2, mediaTypes: ['text/csv', 'image/*'], names: ['report.csv'] } },
    })
    const sentence =
      'The tool promises at least 2 artifacts of the type text/csv or image/* named report.csv; what came is notes.md (text/markdown).'
    expect(result).toMatchObject({
      status: 'partial_succeeded',
      is_error: false,
      error: { error_class: 'partial_failure', error_code: 'toolcrib.artifact_missing', message: sentence },
      ui_facing_summary: expect.stringMatching(/did only a part of its work/),
    })
    expect(shownText(result)).toContain('find out what is missing')
    expect(shownText(result)).toContain(sentence)
    // The delivered ones are stored anyway.
    expect(await collect(crib.artifacts())).toHaveLength(1)
    expect(await crib.result(result.invocation_id)).toEqual(result)
  })

  it('are missing from a bare value as well', async () => {
    const { result } = await make(() => [], { more: { artifacts: {}, execute: () => 'done' } })
    expect(result).toMatchObject({
      status: 'partial_succeeded',
      content: [{ type: 'text', text: 'done' }],
      error: { message: 'The tool promises at least 1 artifact; none came.' },
    })
  })

  it('may be links to artifacts stored elsewhere', async () => {
    const { result } = await make(() => [], {
      more: {
        artifacts: { mediaTypes: ['text/*'] },
        execute: () =>
          toolOutput({
            content: [{ type: 'text', text: 'See there.' }],
            artifactRefs: [{ uri: 'x:1', media_type: 'text/csv' }],
          }) as never,
      },
    })
    expect(result.status).toBe('succeeded')
  })

  it('are not required of a failed call', async () => {
    const { result } = await make(() => [], {
      more: {
        artifacts: {},
        execute: () => {
          throw new Error('broke')
        },
      },
    })
    expect(result).toMatchObject({ status: 'failed', error: { error_class: 'execution_failed' } })
  })

  const wrong: [unknown, RegExp][] = [
    [{ min: 1.5 }, /"artifacts.min" must be a whole number/],
    [{ max: 1 }, /has no option "max"/],
    [{ names: 'a' }, /"names" must be a list of texts/],
  ]
  it.each(wrong)('%j is refused with a sentence', (artifacts, sentence) => {
    expect(() =>
      defineTool({ name: 'x', description: 'X.', artifacts: artifacts as never, execute: () => 1 }),
    ).toThrow(sentence)
  })
})

describe('patterns', () => {
  const cases: [ArtifactExpectations, string, string, boolean][] = [
    [{ mediaTypes: ['text/*'] }, 'a', 'TEXT/CSV; charset=utf-8', true],
    [{ mediaTypes: ['text/*'] }, 'a', 'image/png', false],
    [{ names: ['*.csv'] }, 'report.csv', 'text/csv', true],
    [{ names: ['report*2025*.csv'] }, 'report-of-2025-final.csv', 'text/csv', true],
    [{ names: ['report*2025*.csv'] }, 'report-of-2024.csv', 'text/csv', false],
    [{ names: ['a*a'] }, 'a', 'text/csv', false],
    [{ names: ['*'] }, 'anything', 'text/csv', true],
    [{ min: 0 }, 'a', 'text/csv', true],
    [{ min: 2 }, 'a', 'text/csv', false],
  ]
  it.each(cases)('%j and %s (%s): %s', (expected, name, mediaType, isMet) => {
    expect(unmetExpectations(expected, [{ name, mediaType }]) === undefined).toBe(isMet)
  })
})

describe('where nothing of a result may be stored', () => {
  const artifacts = (): NewArtifact[] => [{ name: 'secret-plans.txt', content: 'plans' }]

  it('by the tool itself, its artifacts are not stored either', async () => {
    const { crib, result } = await make(artifacts, { more: { persistence: 'never_persist' } })
    expect(result).toMatchObject({
      status: 'partial_succeeded',
      error: { error_code: 'toolcrib.artifact_not_kept' },
    })
    expect(result.artifact_refs).toBeUndefined()
    expect(await collect(crib.artifacts())).toEqual([])
  })

  it.each(['drop_with_reason', 'redact', 'never_persist'] as const)(
    'because a hook says %s, neither their names nor their bytes stay',
    async (strategy) => {
      const hook = defineHook({
        id: 'careful',
        event: 'result_persistence',
        run: async () => ({ persistence: { strategy, reason: 'not for anybody' } }),
      })
      const { crib, result } = await make(artifacts, { options: { hooks: [hook] } })
      expect(JSON.stringify([result, await crib.story(result.invocation_id)])).not.toContain('secret-plans')
      expect(await collect(crib.artifacts())).toEqual([])
    },
  )
})
