import { describe, expect, it } from 'vitest'
import { defineTool } from 'toolcrib'
import { searchTools } from 'toolcrib/search'

const tool = (name: string, description: string) =>
  defineTool({ name, description, execute: () => undefined })
const weather = tool('get_weather', 'The weather of a city.')
const forecast = tool('get_forecast', 'What the weather of a city will be.')
const email = tool('send_email', 'Send a letter.')
const found = async (search: ReturnType<typeof searchTools>, options?: object) =>
  (await search.search('weather of a city', options)).hits.map(({ tool: { toolId } }) => toolId)

describe('a search over a list of tools', () => {
  it('omits excluded tools, for that search only', async () => {
    const search = searchTools([weather, forecast, email])
    expect(await found(search, { except: ['local.get_weather'] })).toEqual(['local.get_forecast'])
    expect(await found(search)).toEqual(['local.get_weather', 'local.get_forecast'])
    search.close()
  })

  it('removes what was added, and nothing else', async () => {
    const search = searchTools([weather, email])
    const added = search.add([forecast])
    expect(await found(search)).toEqual(['local.get_weather', 'local.get_forecast'])
    added.dispose()
    added.dispose()
    expect(await found(search)).toEqual(['local.get_weather'])
    search.close()
  })

  it('adds all tools or none', async () => {
    const search = searchTools([weather])
    expect(() => search.add([forecast, weather])).toThrow('The tool "local.get_weather" is already there')
    expect(await found(search)).toEqual(['local.get_weather'])
    search.close()
  })

  it.each<[string, unknown, object | undefined, string]>([
    ['no query', undefined, undefined, 'search takes a text that says what the tool should do'],
    ['a number as query', 5, undefined, 'search takes a text'],
    ['a blank query', ' ', undefined, 'search takes a text'],
    ['a limit of none', 'weather', { limit: 0 }, '"limit" must be a whole number from 1 on'],
    ['a limit below', 'weather', { limit: -1 }, '"limit" must be'],
    ['a limit that is no number', 'weather', { limit: Number.NaN }, '"limit" must be'],
    ['half a tool', 'weather', { limit: 1.5 }, '"limit" must be'],
    ['a text as list', 'weather', { except: 'local.get_weather' }, '"except" must be a list of ids'],
  ])('reports what is wrong with %s', async (_what, query, options, message) => {
    const search = searchTools([weather])
    const answer = search.search(query as string, options)
    await expect(answer).rejects.toThrow(TypeError)
    await expect(answer).rejects.toThrow(message)
    await search.close()
  })

  it('once closed, fails with a sentence, whether it was used before or not', async () => {
    for (const isUsed of [true, false]) {
      const search = searchTools([weather])
      if (isUsed) await search.ready()
      await search.close()
      await expect(search.search('weather')).rejects.toThrow('This tool search is closed')
      await expect(search.ready()).rejects.toThrow('This tool search is closed')
      expect(() => search.add([email])).toThrow('This tool search is closed')
      await search.close()
    }
  })
})
