import { describe, expect, it } from 'vitest'
import type { CatalogTool } from '../../src/catalog/catalog-tool.js'
import { analyseTool } from '../../src/search/analyse-tool.js'
import { groupOf } from '../../src/search/analysis-group.js'
import { openAnalysisCache, type AnalysisCache } from '../../src/search/analysis-cache.js'
import type { KeptAnalyses } from '../../src/search/kept-analyses.js'
import { catalogToolOf, tool } from './make-search.js'

describe('the age of stored analyses', () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `a.tool${index}`)
  const together = names.filter((name) => groupOf(name) === groupOf(names[0]!)).slice(0, 3)

  /** A store in memory, and caches on it by day. */
  function calendar() {
    const groups = new Map<string, string>()
    let writes = 0
    const clock = { day: 0 }
    const kept: KeptAnalyses = {
      readAll: () =>
        Promise.resolve(new Map([...groups].map(([id, text]) => [id, JSON.parse(text) as unknown]))),
      read: (id) => Promise.resolve(groups.has(id) ? JSON.parse(groups.get(id)!) : undefined),
      write(id, group) {
        writes++
        if (group === undefined) groups.delete(id)
        else groups.set(id, JSON.stringify(group))
        return Promise.resolve()
      },
      mayKeep: () => true,
    }
    const open = (): Promise<AnalysisCache> =>
      openAnalysisCache({
        kept,
        stamp: 'one',
        dimensions: undefined,
        model: undefined,
        now: () => clock.day * 86_400_000,
      })
    return { clock, open, writes: () => writes }
  }

  const use = (cache: AnalysisCache, tools: readonly CatalogTool[]): number =>
    tools.filter((each) => {
      const kept = cache.take(each)
      if (!kept) cache.keepAnalysis(each, analyseTool(each, undefined))
      return kept
    }).length

  it('does not grow while its tools are in daily use, with few writes', async () => {
    const { clock, open, writes } = calendar()
    const tools = together.map((name) => catalogToolOf(tool(name, 'One of some.')))
    const changed = catalogToolOf(tool(together[0]!, 'Another one.'))
    const restored: number[] = []
    for (clock.day = 1; clock.day <= 60; clock.day++) {
      const cache = await open()
      restored.push(use(cache, [clock.day > 50 ? changed : tools[0]!, ...tools.slice(1)]))
      await cache.close()
    }
    expect(restored).toEqual([
      0,
      ...Array.from({ length: 49 }, () => 3),
      2,
      ...Array.from({ length: 9 }, () => 3),
    ])
    expect(writes()).toBeLessThan(12)
  })

  it('does not grow while one process runs, only after a tool is removed', async () => {
    const { clock, open } = calendar()
    const [first, second, third] = together.map((name) => catalogToolOf(tool(name, 'One of some.'))) as [
      CatalogTool,
      CatalogTool,
      CatalogTool,
    ]
    const early = await open()
    use(early, [first, second])
    await early.close()
    const cache = await open()
    use(cache, [first, second])
    cache.release(second.toolId)
    clock.day = 40
    cache.keepAnalysis(third, analyseTool(third, undefined))
    await cache.close()
    const later = await open()
    expect([first, second, third].map((each) => later.take(each) !== undefined)).toEqual([true, false, true])
    await later.close()
  })

  it('does not affect what another process wrote for a tool with the same id', async () => {
    const { clock, open } = calendar()
    const [mine, theirs] = ['Mine.', 'Theirs.'].map((text) => catalogToolOf(tool(together[0]!, text))) as [
      CatalogTool,
      CatalogTool,
    ]
    const first = await open()
    use(first, [mine])
    await first.close()
    clock.day = 10
    const second = await open()
    expect(use(second, [mine])).toBe(1)
    const other = await open()
    use(other, [theirs])
    await other.close()
    await second.close()
    expect(use(await open(), [theirs])).toBe(1)
  })
})
