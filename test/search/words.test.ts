import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../src/search/parse-query.js'
import { createTermList } from '../../src/search/nearest-terms.js'
import { relatedWords } from '../../src/search/words/related-words.js'
import { splitCompound } from '../../src/search/words/split-compound.js'
import { splitWords } from '../../src/search/words/split-words.js'
import { stemWord } from '../../src/search/words/stem-word.js'
import { isContentWord, toStems } from '../../src/search/words/to-stems.js'

describe('words of a text', () => {
  it.each([
    ['searchIssues_v2', ['search', 'issues', 'v2']],
    ['HTTPServer', ['http', 'server']],
    ['mcp.github.list-pull-requests', ['mcp', 'github', 'list', 'pull', 'requests']],
    ["the repository's issues", ['the', 'repository', 'issues']],
    ['don’t', ['dont']],
    ['Überweisung Café', ['uberweisung', 'cafe']],
    ['天気 予報', ['天気', '予報']],
    ['  \n…!?', []],
  ])('%s', (text, words) => {
    expect(splitWords(text)).toEqual(words)
  })
})

describe('stems', () => {
  it.each([
    ['search', 'searches', 'searched', 'searching'],
    ['reply', 'replies', 'replied', 'replying'],
    ['delete', 'deletes', 'deleted', 'deleting'],
    ['stop', 'stops', 'stopped', 'stopping'],
    ['translate', 'translates', 'translation', 'translator'],
    ['class', 'classes'],
  ])('%s is one word in all its forms', (...forms) => {
    expect(new Set(forms.map(stemWord)).size).toBe(1)
  })

  it.each([
    ['sing', 'string'],
    ['bus', 'business'],
    ['red', 'reed'],
  ])('%s is not %s', (one, other) => {
    expect(stemWord(one)).not.toBe(stemWord(other))
  })

  it('does not change words that are not English', () => {
    expect(['v2', 'café', 'api', 'sha256'].map(stemWord)).toEqual(['v2', 'café', 'api', 'sha256'])
  })

  it('function words do not count', () => {
    expect(toStems('Could you please send me the reports?')).toEqual(['send', 'report'])
    expect(['please', 'a', 'x'].some(isContentWord)).toBe(false)
  })
})

describe('compound words', () => {
  const ranks = new Map(
    ['word', 'cloud', 'air', 'port', 'airport', 'stock', 'price', 'the', 'rare'].entries(),
  )
  const rankOf = (word: string): number | undefined => {
    for (const [rank, known] of ranks) if (known === word) return known === 'rare' ? 30_000 : rank
    return undefined
  }

  it.each([
    ['wordcloud', ['word', 'cloud']],
    ['stockprice', ['stock', 'price']],
    ['airport', []],
    ['wordzzz', []],
    ['rarecloud', []],
    ['word2cloud', []],
    ['thes', []],
    ['wordcloudstockprice', []],
  ])('%s', (word, parts) => {
    expect(splitCompound(word, rankOf)).toEqual(parts)
  })
})

describe('related words', () => {
  it('are mutual and never the word itself', () => {
    const send = stemWord('send')
    expect(relatedWords(send)).toContain(stemWord('notify'))
    for (const related of relatedWords(send)) expect(relatedWords(related)).toContain(send)
    expect(relatedWords(send)).not.toContain(send)
    expect([...relatedWords('qwrtp')]).toEqual([])
  })
})

describe('misspelled words', () => {
  const list = createTermList(['weather', 'whether', 'leather', 'forecast', 'issue', 'mail', 'cat'])

  it.each([
    ['wether', ['weather', 'whether']],
    ['forcast', ['forecast']],
    ['forecsat', ['forecast']],
    ['isssue', ['issue']],
    ['cta', []],
    ['mali', ['mail']],
    ['nothing', []],
    ['fore4ast', []],
  ])('%s', (word, terms) => {
    expect(list.nearest(word)).toEqual(terms)
  })

  it('are never corrected to a hidden term, nor does one take a slot', () => {
    const many = createTermList(['tickat', 'tickbt', 'tickct', 'tickdt', 'ticket'])
    expect(many.nearest('tickxt', (term) => term === 'ticket')).toEqual(['ticket'])
  })
})

describe('queries', () => {
  const keywords = (query: string, steps = true) => {
    const parsed = parseQuery(query, { steps })
    if (parsed.type !== 'keyword') throw new Error('not a query by keywords')
    return parsed
  }

  it('select names tools, each once', () => {
    expect(parseQuery(' Select: a.b, c ,,a.b', { steps: true })).toEqual({
      type: 'select',
      names: ['a.b', 'c'],
    })
    expect(parseQuery('select:', { steps: true })).toEqual({ type: 'select', names: [] })
  })

  it('a plus makes words required, and they still count', () => {
    const { required, parts } = keywords('+slack send messages')
    expect(required).toEqual(toStems('slack'))
    expect(parts.map(({ words }) => words)).toEqual([['slack', 'send', 'messages']])
    expect(keywords('c++ compiler, a + b').required).toEqual([])
  })

  it('a task is split into its steps, unless that is switched off', () => {
    const task = 'Find the invoice of May. Then send it to the accountant, and finally archive the mail.'
    expect(keywords(task).parts.map(({ words }) => words)).toEqual([
      ['find', 'invoice'],
      ['send', 'accountant'],
      ['archive', 'mail'],
    ])
    expect(keywords(task, false).parts).toHaveLength(1)
    expect(keywords('Hello. Weather tomorrow').parts).toHaveLength(1)
  })

  it('has at most eight steps, and the rest is kept with the last', () => {
    const task = Array.from({ length: 12 }, (_, index) => `carry box${index} upstairs.`).join(' ')
    const { parts } = keywords(task)
    expect(parts).toHaveLength(8)
    expect(parts[7]!.words).toContain('box11')
  })

  it('an empty query has no words', () => {
    expect(keywords('').parts).toEqual([{ text: '', words: [] }])
  })
})
