import { afterAll, describe, expect, it } from 'vitest'
import { searchTools, type ListSearch, type SearchAnswer } from 'toolcrib/search'
import { tool } from './make-search.js'

const open = [
  tool('mail.send_email', 'Sends an email to one or more people.'),
  tool('mail.search_inbox', 'Finds messages in the inbox by sender or subject.'),
  tool('mail.delete_message', 'Deletes a message for good.'),
  tool('calendar.create_event', 'Puts an appointment into the calendar.', { searchHint: 'meeting' }),
  tool('calendar.list_events', 'Lists what is in the calendar between two days.'),
  tool('files.read_file', 'Reads a file from the disk.', { aliases: ['cat'] }),
  tool('files.write_file', 'Writes text into a file.'),
  tool('files.delete_file', 'Deletes a file from the disk.'),
  tool('pictures.wordcloud', 'Draws the words of a text as a picture.'),
  tool('pictures.resize_image', 'Makes an image smaller or larger.'),
  tool('weather.forecast', 'What the weather will be like in a city.'),
  tool('travel.book_hotel', 'Reserves a room in a hotel.'),
  tool('travel.find_flights', 'Finds flights between two airports.'),
  tool('money.convert_currency', 'Converts an amount into another currency.'),
  tool('money.create_invoice', 'Writes an invoice for a customer.'),
  tool('code.search_repository', 'Searches the code of a repository.'),
  tool('code.open_pull_request', 'Opens a pull request with the changes of a branch.'),
  tool('text.translate', 'Translates a text into another language.'),
  tool('reise.fahrplan_auskunft', 'Zeigt Züge und Straßenbahnen für eine Haltestelle.'),
  tool('café.crème_brûlée', 'Le dessert du jour.'),
]
const hidden = [
  tool('vault.payslips', 'Lists payslips, salaries and wages of everybody.'),
  tool('vault.send_wages', 'Sends wages by email, and forecasts them.'),
  tool('vault.wordclouds', 'Wordclouds of files, pictures and invoices that nobody may read.'),
  tool('vault.kryptonite', 'Kryptonite for meetings, flights and hotels.', { aliases: ['emial', 'forcast'] }),
  tool('vault.delete_everything', 'Deletes emails, files, events, repositories and translations.'),
  ...Array.from({ length: 12 }, (_, index) =>
    tool(`vault.crowd_${index}`, 'Searches the calendar for weather.'),
  ),
]

const searches: ListSearch[] = []
function among(tools: typeof open, parts = {}): ListSearch {
  const search = searchTools(tools, { parts })
  searches.push(search)
  return search
}
afterAll(async () => {
  for (const search of searches) await search.close()
})

const everyone = (answer: SearchAnswer) => [...answer.hits, ...answer.nearMisses]
const idsOf = (answer: SearchAnswer): string[] => everyone(answer).map(({ tool: { toolId } }) => toolId)

const queries = [
  ['send an email', 'emial', 'write to somebody', 'delete', 'remove a document', 'wordcloud', 'word cloud'],
  ['payslip', 'payslips', 'pay slip', 'payslp', 'salary', 'wages', '+wages send', '+payslip', 'kryptonite'],
  ['kryptonit', 'forcast', 'weather', 'wether', 'will it rain tomorrow', 'umbrella', 'calendar', 'calender'],
  ['schedule a meeting', 'meeting', 'what is on today', 'book a room', 'hotel', 'holiday', 'flight to Rome'],
  [
    'plane tickets',
    'invoice',
    'bill a client',
    'exchange rate',
    'dollars to euros',
    'translate',
    'in French',
  ],
  ['search code', 'merge request', 'repository', 'picture', 'shrink a photo', 'crowd', 'vault', 'everything'],
  ['select:vault.payslips', 'select:payslips,send_email', 'select:wordclouds', 'select:emial'],
  ['send an email. Then delete the file', 'read a file and then draw a wordcloud of it, finally send wages'],
  ['+email send', '+vault', '+weather search', 'Straßenbahn', 'crème brûlée', 'zzyzx', '🎉', '部屋を予約'],
].flat()

describe('tools that may not be found', () => {
  it('change nothing: neither the hits, nor their order, scores and reasons', async () => {
    const mixed = among(open.flatMap((each, index) => (hidden[index] ? [hidden[index], each] : [each])))
    const alone = among(open)
    const except = hidden.map(({ namespace, name }) => `${namespace}.${name}`)
    const said = (answer: SearchAnswer) => ({
      ...answer,
      hits: answer.hits.map(({ tool: { toolId }, ...rest }) => ({ ...rest, toolId })),
      nearMisses: answer.nearMisses.map(({ tool: { toolId }, ...rest }) => ({ ...rest, toolId })),
    })
    for (const query of queries) {
      const limits = { limit: 10 }
      const answer = said(await mixed.search(query, { ...limits, except }))
      expect(answer, query).toEqual(said(await alone.search(query, limits)))
    }
    expect(idsOf(await mixed.search('payslips'))).toContain('vault.payslips')
  })
})

describe('every answer', () => {
  it('has scores from 0 to 1 in descending order, within the limit, and each tool once', async () => {
    const search = among([...open, ...hidden])
    for (const query of queries) {
      for (const limit of [1, 3, 50]) {
        const answer = await search.search(query, { limit })
        const found = everyone(answer)
        const scores = found.map(({ score }) => score)
        expect(answer.hits.length, query).toBeLessThanOrEqual(
          Math.max(limit, answer.queryType === 'select' ? 9 : 0),
        )
        expect(scores, query).toEqual(scores.toSorted((a, b) => b - a))
        for (const score of scores) expect(score >= 0 && score <= 1, `${query}: ${score}`).toBe(true)
        expect(new Set(idsOf(answer)).size, query).toBe(found.length)
      }
    }
  })

  it('is the same when asked again', async () => {
    const [one, other] = [among(open), among(open)]
    for (const query of queries) {
      const first = await one.search(query)
      const ids = idsOf(first)
      expect(idsOf(await one.search(query)), query).toEqual(ids)
      expect(idsOf(await other.search(query)), query).toEqual(ids)
    }
  })
})

describe('the first hit', () => {
  const search = among(open)
  const first = async (query: string): Promise<string | undefined> => idsOf(await search.search(query))[0]

  it.each([
    ['a name as it is', 'send_email', 'mail.send_email'],
    ['a name in other words', 'read file', 'files.read_file'],
    ['an alias', 'cat', 'files.read_file'],
    ['a hint', 'meeting', 'calendar.create_event'],
    ['a misspelt word', 'forcast', 'weather.forecast'],
    ['two letters changed round', 'tranlsate', 'text.translate'],
    ['another form of the word', 'translating texts', 'text.translate'],
    ['another word for it', 'remove a file', 'files.delete_file'],
    ['a compound written as two', 'word cloud', 'pictures.wordcloud'],
    ['two words written as one', 'bookhotel', 'travel.book_hotel'],
    ['capitals', 'SEND EMAIL', 'mail.send_email'],
    ['letters that are composed', 'Zu\u0308ge', 'reise.fahrplan_auskunft'],
    ['letters of another width', '\uff54\uff52\uff41\uff4e\uff53\uff4c\uff41\uff54\uff45', 'text.translate'],
    ['accents', 'crème brûlée', 'café.crème_brûlée'],
  ])('%s', async (_what, query, toolId) => {
    expect(await first(query)).toBe(toolId)
  })

  it('a required word excludes all tools without it', async () => {
    const all = idsOf(await search.search('delete', { limit: 10 }))
    expect(all).toEqual(expect.arrayContaining(['files.delete_file', 'mail.delete_message']))
    expect(idsOf(await search.search('+disk delete', { limit: 10 })).sort()).toEqual([
      'files.delete_file',
      'files.read_file',
    ])
    expect(idsOf(await search.search('+disk +nowhere delete'))).toEqual([])
  })

  it('a task of several steps finds a tool for each', async () => {
    const task = 'Find flights to Rome. Then book a hotel there. Finally put the trip into my calendar.'
    expect(idsOf(await search.search(task))).toEqual(
      expect.arrayContaining(['travel.find_flights', 'travel.book_hotel', 'calendar.create_event']),
    )
  })

  it('is absent where no tool matches', async () => {
    for (const query of ['zzyzx qwrtp', '🎉🎉', '?!…', '\u0000', '+zzyzx send an email'])
      expect((await search.search(query)).hits, query).toEqual([])
  })
})

describe('disabled parts of the search', () => {
  it.each([
    ['spelling', { spelling: false, meaning: false }, 'forcast'],
    ['related words', { related: false, meaning: false }, 'erase'],
  ])('without it, %s finds nothing', async (_what, parts, query) => {
    expect(idsOf(await among(open).search(query))).not.toEqual([])
    expect(idsOf(await among(open, parts).search(query))).toEqual([])
  })
})
