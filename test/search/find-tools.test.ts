import { describe, expect, it } from 'vitest'
import { toWordVectors } from '../../src/search/meaning/load-word-vectors.js'
import { orderHits } from '../../src/search/order-hits.js'
import type { SearchView } from '../../src/search/tool-search.js'
import { catalogToolOf, everything, idsOf, searchAmong, tool, without } from './make-search.js'

const drafts = [
  tool('slack.send_message', 'Sends a message to a channel.'),
  tool('mail.send_message', 'Sends a message by email.', { aliases: ['mailer'] }),
  tool('weather.forecast', 'What the weather will be like in a city.', {
    input: {
      jsonSchema: {
        type: 'object',
        properties: { units: { type: 'string', enum: ['fahrenheit', 'celsius'] } },
      },
    },
  }),
  tool('files.read', 'Reads a file from the disk.'),
  tool('payroll.salaries', 'Reads what everybody earns.'),
]

describe('select', () => {
  const search = searchAmong(drafts)

  it('finds tools by any of their names, with a score of 1', async () => {
    const { queryType, hits, missingNames } = await search.find('select:files.read,mailer,weather__forecast')
    expect(queryType).toBe('select')
    expect(hits.map(({ tool, score }) => [tool.toolId, score])).toEqual([
      ['files.read', 1],
      ['mail.send_message', 1],
      ['weather.forecast', 1],
    ])
    expect(missingNames).toEqual([])
  })

  it('finds all tools that share a name, if they may be found', async () => {
    expect(idsOf(await search.find('select:send_message')).sort()).toEqual([
      'mail.send_message',
      'slack.send_message',
    ])
    expect(idsOf(await search.find('select:send_message', without('mail.send_message')))).toEqual([
      'slack.send_message',
    ])
  })

  it('a tool that may not be found is missing like one that does not exist', async () => {
    const hidden = await search.find('select:payroll.salaries', without('payroll.salaries'))
    expect(hidden).toMatchObject({ hits: [], missingNames: ['payroll.salaries'] })
    expect(idsOf(hidden)).not.toContain('payroll.salaries')
    const typo = await search.find('select:files.raed')
    expect(typo.missingNames).toEqual(['files.raed'])
    expect(idsOf(typo)).toContain('files.read')
  })
})

describe('keywords', () => {
  const search = searchAmong(drafts)

  it('required words must be present', async () => {
    expect(await search.ids('+slack send a message')).toEqual(['slack.send_message'])
    expect(await search.ids('+slack +email send a message')).toEqual([])
    expect(await search.ids('+unheardof send a message')).toEqual([])
  })

  it('find no tool where none matches', async () => {
    expect((await search.find('zzyzx qwrtp')).hits).toEqual([])
    expect(idsOf(await search.find(''))).toEqual([])
    expect(await searchAmong([]).ids('anything')).toEqual([])
  })

  it('says which words were found where', async () => {
    const reasonOf = async (query: string): Promise<string> => {
      const { hits, nearMisses } = await search.find(query)
      return [...hits, ...nearMisses][0]!.reason
    }
    expect(await reasonOf('weather forecast')).toBe('weather in namespace; forecast in name')
    expect(await reasonOf('celsius')).toBe('celsius in parameters')
    expect(await reasonOf('forecsat')).toBe('forecsat as forecast in name')
    expect(await reasonOf('mailer')).toBe('mailer in another name')
  })

  it('finds misspelled words, unless that is switched off', async () => {
    expect((await search.ids('wheather'))[0]).toBe('weather.forecast')
    const exact = searchAmong(drafts, { parts: { spelling: false, meaning: false } })
    expect(await exact.ids('wheather')).toEqual([])
  })

  it('of equal matches the more used tool comes first, and use does not outweigh words', async () => {
    const alike = searchAmong([tool('a.send', 'Sends mail.'), tool('b.send', 'Sends mail.'), ...drafts])
    const known = (toolId: string): SearchView => ({
      ...everything,
      usageOf: (asked) => (asked === toolId ? 1 : 0),
    })
    expect((await alike.ids('send mail', known('b.send')))[0]).toBe('b.send')
    expect((await alike.ids('send mail', known('a.send')))[0]).toBe('a.send')
    expect((await alike.ids('weather forecast', known('files.read')))[0]).toBe('weather.forecast')
  })

  it('of equal matches, tools of several sources come before many of one', () => {
    const ids = ['crowd.one', 'crowd.two', 'crowd.three', 'other.tool']
    const candidates = ids.map((id, ordinal) => {
      return {
        ordinal,
        value: 1,
        coverage: 1,
        nearness: 1,
        tool: catalogToolOf(tool(id, 'Archives a ticket.')),
      }
    })
    const order = (limit: number): string[] =>
      orderHits(candidates, { usageOf: undefined, limit }).map((each) => each.tool.toolId)
    expect(order(4)).toEqual(['crowd.one', 'other.tool', 'crowd.two', 'crowd.three'])
    expect(order(2)).toEqual(['crowd.one', 'other.tool'])
    candidates[3]!.value = 0.9
    expect(order(2)).toEqual(['crowd.one', 'crowd.two'])
  })
})

describe('an index that follows its catalog', () => {
  it('indexes changes, and nothing else', async () => {
    const search = searchAmong([])
    const added = search.catalog.add('source', drafts)
    await search.ready()
    expect(search.counts().analysed).toBe(5)
    // Listed again, unchanged.
    added.replace([...drafts])
    await search.ready()
    expect(search.counts().analysed).toBe(5)
    added.replace([...drafts.slice(1), tool('slack.send_message', 'Posts into a room.')])
    expect((await search.ids('post room'))[0]).toBe('slack.send_message')
    expect(await search.ids('+channel')).toEqual([])
    expect(search.counts().analysed).toBe(6)
    search.catalog.retire('files.read', 1)
    expect(await search.ids('+disk')).toEqual([])
    added.dispose()
    expect(await search.ids('+weather')).toEqual([])
    expect(search.counts().analysed).toBe(6)
  })

  it('a source that is removed and added between two searches costs nothing', async () => {
    const search = searchAmong([])
    const added = search.catalog.add('source', drafts)
    await search.ready()
    added.dispose()
    search.catalog.add('source', drafts)
    expect((await search.ids('weather forecast'))[0]).toBe('weather.forecast')
    expect(search.counts().analysed).toBe(5)
  })

  it('finds the same after tools were added and removed many times', async () => {
    const fresh = await searchAmong(drafts).find('send a message to the channel')
    const search = searchAmong(drafts)
    for (let round = 0; round < 4; round++) {
      const crowd = Array.from({ length: 200 }, (_, index) =>
        tool(`crowd.t${round}x${index}`, 'Sends weather.'),
      )
      const added = search.catalog.add('crowd', crowd)
      await search.ready()
      added.dispose()
      await search.ready()
    }
    const after = await search.find('send a message to the channel')
    expect(after.hits.map(({ tool, score }) => [tool.toolId, score])).toEqual(
      fresh.hits.map(({ tool, score }) => [tool.toolId, score]),
    )
  })
})

describe('tools with unknown words', () => {
  const nameless = Array.from({ length: 300 }, (_, index) => tool(`工具.t${index}`, `发送邮件第${index}`))
  const known = ['email', 'movie', 'hotel', 'weather'].flatMap((noun) =>
    ['send', 'delete', 'list'].map((verb) => tool(`desk.${verb}_${noun}`, `${verb} one ${noun}`)),
  )

  it('do not change the meanings of all others when they are removed', async () => {
    const search = searchAmong([tool('desk.first', 'The first known word.')])
    const early = search.catalog.add('early', [tool('desk.early', 'An early tool.')])
    search.catalog.add('known', known)
    await search.ready()
    const late = search.catalog.add('late', nameless)
    await search.ready()
    early.dispose()
    await search.ready()
    late.dispose()
    const fresh = searchAmong([tool('desk.first', 'The first known word.'), ...known])
    for (const query of [
      'motion picture',
      'precipitation and sunshine',
      'delete email',
      'room for the night',
    ])
      expect(await search.ids(query), query).toEqual(await fresh.ids(query))
  })
})

describe('views of one index', () => {
  const secret = tool('vault.payslip', 'Lists payslips, wordclouds and forecasts.')
  const queries = [
    'payslip',
    'payslp',
    '+payslip read',
    'wordcloud',
    'what will the weather forecast be',
    'send a message. Then read the payslip',
    'select:vault.payslip',
    'select:payslip',
  ]

  it('answer exactly as if the hidden tool did not exist', async () => {
    const withSecret = searchAmong([...drafts, secret])
    const withoutSecret = searchAmong(drafts)
    const view = without('vault.payslip')
    for (const query of queries) {
      const said = async (search: typeof withSecret) => {
        const { hits, nearMisses, missingNames } = await search.find(query, view)
        const plain = [...hits, ...nearMisses].map(({ tool, ...rest }) => ({ ...rest, id: tool.toolId }))
        return { plain, hits: hits.length, missingNames }
      }
      expect(await said(withSecret), query).toEqual(await said(withoutSecret))
    }
    expect((await withSecret.ids('payslp'))[0]).toBe('vault.payslip')
    expect(withSecret.counts().analysed).toBe(6)
  })

  it('a misspelled word is corrected to a visible term, though a hidden one is nearer', async () => {
    const search = searchAmong([
      tool('open.a', 'Handles tickets.'),
      ...['tickats', 'tickots', 'tickuts'].map((word, index) => tool(`hidden.t${index}`, `Handles ${word}.`)),
    ])
    const view = without('hidden.t0', 'hidden.t1', 'hidden.t2')
    const { hits, nearMisses } = await search.find('tickxt', view)
    expect([...hits, ...nearMisses].map(({ reason }) => reason)).toEqual(['tickxt as tickets in description'])
  })
})

describe('the file of word vectors', () => {
  function fileOf(words: readonly string[], numbers: readonly number[]): Buffer {
    const list = Buffer.from(words.join('\n'))
    const head = Buffer.alloc(16)
    head.write('TCWV', 'latin1')
    head.writeUInt32LE(words.length, 4)
    head.writeUInt32LE(numbers.length / words.length, 8)
    head.writeUInt32LE(list.length, 12)
    const scales = Buffer.alloc(4 * words.length)
    words.forEach((_, at) => scales.writeFloatLE(0.5, 4 * at))
    return Buffer.concat([head, list, scales, Buffer.from(Int8Array.from(numbers).buffer)])
  }

  it('has words by frequency, and vectors that can be added', () => {
    const vectors = toWordVectors(fileOf(['mail', 'send'], [2, 4, -2, 6]))
    expect([vectors.rankOf('mail'), vectors.rankOf('send'), vectors.rankOf('x')]).toEqual([0, 1, undefined])
    const sum = new Float32Array(2)
    vectors.addTo(sum, 0, 1)
    vectors.addTo(sum, 1, 2)
    expect([...sum]).toEqual([-1, 8])
    expect(vectors.id).not.toBe(toWordVectors(fileOf(['mail', 'send'], [2, 4, -2, 7])).id)
  })

  it('is rejected if it has another format or is truncated', () => {
    expect(() => toWordVectors(Buffer.from('something else'))).toThrow('not a file of word vectors')
    const whole = fileOf(['mail', 'send'], [2, 4, -2, 6])
    expect(() => toWordVectors(whole.subarray(0, -1))).toThrow('install the package again')
    expect(() => toWordVectors(whole.subarray(0, 10))).toThrow('install the package again')
  })
})
