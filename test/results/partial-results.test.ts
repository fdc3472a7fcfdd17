import { describe, expect, it } from 'vitest'
import { partialResult, type ToolEvent } from 'toolcrib'
import { openCrib } from '../scenarios/open-crib.js'
import { callAgain, giver } from './give.js'

const WORD = 'blue horse staple'

async function run({ tool = {}, on = {} }: { tool?: object; on?: object }) {
  async function* execute() {
    yield partialResult({ pin: WORD, count: 1 })
    yield `the pin is ${WORD}`
    return { pin: WORD, count: 2 }
  }
  const crib = await openCrib({ tools: [giver(execute, tool)] })
  const surface = await crib.surface({ scope: 'turn', ...on })
  const heard: ToolEvent[] = []
  for await (const event of crib.call(surface, { name: 'give' }))
    if (event.event_type === 'tool.invocation.partial_result') heard.push(event)
  const { logged, story } = await callAgain(crib, surface)
  return { heard: heard.map(({ data }) => data as Record<string, unknown>), logged, story }
}

describe('a partial result', () => {
  it('is stored and reported', async () => {
    const { heard, story } = await run({})
    expect(heard).toMatchObject([{ value: { pin: WORD, count: 1 } }])
    expect(story.partials).toMatchObject([{ value: { pin: WORD, count: 1 } }])
  })

  it('has its sensitive fields masked, also in its other forms', async () => {
    const { heard, logged, story } = await run({ tool: { sensitiveOutputFields: ['pin'] } })
    expect(heard).toMatchObject([{ value: { pin: '[redacted]', count: 1 } }])
    expect(story.partials).toMatchObject([{ value: { pin: '[redacted]', count: 1 } }])
    expect(story.progress.some(({ message }) => message === 'the pin is [redacted]')).toBe(true)
    expect(logged).not.toContain('horse')
  })

  describe.each([
    ['never_persist', true],
    ['drop_with_reason', true],
    ['redact', false],
  ] as const)('that is not to be kept (%s)', (persistence, isTold) => {
    it.each([
      ['tool', { tool: { persistence } }],
      ['surface', { on: { results: { persistence } } }],
    ])('stored as the %s says: the log only records that it came', async (who, options) => {
      const { heard, logged, story } = await run(options)
      expect(heard).toHaveLength(1)
      expect(heard[0]!['value']).toEqual(isTold ? { pin: WORD, count: 1 } : undefined)
      expect(story.partials).toEqual([])
      const [progress] = story.progress.filter(({ status }) => status === 'partial_result')
      expect(progress).not.toHaveProperty('partial_result_refs')
      const reason = persistence === 'drop_with_reason' ? 'declared_by_policy' : `declared_for_this_${who}`
      expect(logged).toContain(`"not_kept":"${reason}"`)
      expect(logged).not.toContain('"count":1')
    })
  })
})
