import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { createEmbeddingQueue } from '../../src/search/meaning/embedding-queue.js'
import { openSentenceModel } from '../../src/search/meaning/sentence-model.js'
import { toolSentence } from '../../src/search/meaning/tool-sentence.js'
import { createGate } from '../scenarios/open-crib.js'
import { catalogToolOf, searchAmong, tool, topicModel, type TestSearch } from './make-search.js'

const drafts = [
  tool('sky.forecast', 'Says what the weather will be like.'),
  tool('post.write', 'Sends a letter to somebody.'),
  tool('shop.basket', 'Puts goods into a basket.'),
]
const topics = [
  ['weather', 'umbrella'],
  ['letter', 'grandmother'],
  ['basket', 'groceries'],
]

const open: TestSearch[] = []
const opened = (search: TestSearch): TestSearch => {
  open.push(search)
  return search
}
afterEach(async () => {
  for (const search of open.splice(0)) await search.close()
})

describe('meaning of whole sentences', () => {
  it('finds a tool that shares no word', async () => {
    const model = topicModel(topics)
    const parts = { sentences: true, meaning: false, related: false }
    const search = opened(searchAmong(drafts, { parts, openModel: () => model }))
    await search.ready()
    expect((await search.ids('umbrella'))[0]).toBe('sky.forecast')
    expect((await search.ids('grandmother'))[0]).toBe('post.write')
    const alone = opened(searchAmong(drafts, { parts: { ...parts, sentences: false } }))
    expect(await alone.ids('umbrella')).toEqual([])
  })

  it('embeds each tool once, and a query once for all its uses', async () => {
    const model = topicModel(topics)
    const search = opened(searchAmong(drafts, { parts: { sentences: true }, openModel: () => model }))
    await search.ready()
    expect(model.asked).toHaveLength(3)
    await search.find('umbrella needed today. Then write to my grandmother')
    expect(model.asked.slice(3)).toEqual([
      'umbrella needed today.',
      'write to my grandmother',
      'umbrella needed today. write to my grandmother',
    ])
    await search.find('umbrella needed today. Then write to my grandmother')
    expect(model.asked).toHaveLength(6)
    expect(search.counts()).toEqual({ analysed: 3, restored: 0, embedded: 3 })
  })

  it('embeds a changed tool again, and no other', async () => {
    const model = topicModel(topics)
    const search = opened(searchAmong([], { parts: { sentences: true }, openModel: () => model }))
    const added = search.catalog.add('shop', drafts)
    await search.ready()
    model.asked.length = 0
    added.replace([drafts[0]!, drafts[1]!, tool('shop.basket', 'Weighs letters and parcels.')])
    await search.ready()
    expect(model.asked).toEqual(['basket: Weighs letters and parcels.'])
  })

  it('a search continues without a model that does not answer', async () => {
    const model = topicModel(topics)
    const gate = createGate<readonly Float32Array[]>()
    const silent = { ...model, embed: () => gate.promise }
    const search = opened(searchAmong(drafts, { parts: { sentences: true }, openModel: () => silent }))
    expect((await search.ids('send a letter'))[0]).toBe('post.write')
    gate.open([])
  })

  it('a model that fails is switched off, reported once, and nothing else is lost', async () => {
    const model = topicModel(topics)
    const warnings: string[] = []
    const warn = (message: string): void => void warnings.push(message)
    const search = opened(searchAmong(drafts, { parts: { sentences: true }, openModel: () => model, warn }))
    await search.ready()
    model.fail = new Error('out of memory')
    expect((await search.ids('send a letter'))[0]).toBe('post.write')
    expect((await search.ids('weather'))[0]).toBe('sky.forecast')
    expect(warnings).toEqual(['Search by the meaning of sentences is off, its model failed: out of memory'])
    await expect(search.ready()).rejects.toThrow('out of memory')
  })

  it('a missing model is reported once, and words still find', async () => {
    const warnings: string[] = []
    const search = opened(
      searchAmong(drafts, {
        parts: { sentences: true },
        openModel() {
          throw new Error('not installed; run `npm install it`')
        },
        warn: (message) => void warnings.push(message),
      }),
    )
    expect((await search.ids('send a letter'))[0]).toBe('post.write')
    await expect(search.ready()).rejects.toThrow('npm install it')
    expect(warnings).toEqual(['not installed; run `npm install it`'])
  })

  it('waiting for a search ends when the search is closed, not with its model', async () => {
    const gate = createGate<readonly Float32Array[]>()
    const silent = {
      ...topicModel(topics),
      embed: () => gate.promise,
      close: () => Promise.resolve(gate.open([])),
    }
    const search = searchAmong(drafts, { parts: { sentences: true }, openModel: () => silent })
    const ready = expect(search.ready()).rejects.toThrow('This tool search is closed')
    await search.find('letter')
    await search.close()
    await ready
    await expect(search.ready()).rejects.toThrow('This tool search is closed')
    expect(search.counts()).toMatchObject({ embedded: 0 })
  })

  it('closing ends the model without a warning', async () => {
    const model = topicModel(topics)
    const warnings: string[] = []
    const warn = (message: string): void => void warnings.push(message)
    const search = searchAmong(drafts, { parts: { sentences: true }, openModel: () => model, warn })
    await search.find('letter')
    await search.close()
    expect(model.isClosed).toBe(true)
    expect(warnings).toEqual([])
  })
})

describe('the queue for the model', () => {
  it('takes urgent texts first, the newest before the others, and drops forgotten ones', async () => {
    const order: string[] = []
    const gate = createGate()
    const model = topicModel([])
    const line = createEmbeddingQueue(
      {
        ...model,
        async embed(texts) {
          await gate.promise
          order.push(texts.join('+'))
          return texts.map(() => new Float32Array(8))
        },
      },
      () => {},
    )
    const done: string[] = []
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) line.askLater(key, key, () => void done.push(key))
    const first = line.askNow(['first'])
    const second = line.askNow(['second'])
    line.forget('f')
    gate.open()
    await Promise.all([first, second, line.idle()])
    expect(order).toEqual(['a', 'second', 'first', 'b+c+d+e'])
    expect(done).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('texts that the model cannot process fail alone', async () => {
    const failed: Error[] = []
    const model = topicModel([])
    const line = createEmbeddingQueue(
      {
        ...model,
        embed: (texts) =>
          texts.includes('bad') ? Promise.reject(new Error('bad text')) : model.embed(texts),
      },
      (error) => void failed.push(error),
    )
    expect(await line.askNow(['bad'])).toBeUndefined()
    expect(await line.askNow(['good'])).toHaveLength(1)
    expect(failed).toEqual([])
    for (let time = 0; time < 3; time++) await line.askNow(['bad'])
    expect(failed.map(({ message }) => message)).toEqual(['bad text'])
    expect(await line.askNow(['good'])).toBeUndefined()
  })
})

describe('a batch with a text that the model cannot process', () => {
  it('is processed one by one, after urgent texts', async () => {
    const failed: Error[] = []
    const asked: string[] = []
    const model = topicModel([])
    const line = createEmbeddingQueue(
      {
        ...model,
        embed(texts) {
          asked.push(texts.join('+'))
          return texts.includes('bad') ? Promise.reject(new Error('bad text')) : model.embed(texts)
        },
      },
      (error) => void failed.push(error),
    )
    const done: string[] = []
    for (const key of ['first', 'a', 'bad', 'c', 'd', 'e']) line.askLater(key, key, () => void done.push(key))
    await line.idle()
    expect(done).toEqual(['first', 'a', 'c', 'd', 'e'])
    expect(asked).toEqual(['first', 'a+bad+c+d', 'a', 'bad', 'c', 'd', 'e'])
    expect(failed).toEqual([])
  })

  it('is not processed again where the model itself has failed, or is closed', async () => {
    for (const end of ['failure', 'close'] as const) {
      const failed: Error[] = []
      const model = topicModel([])
      let times = 0
      const line = createEmbeddingQueue(
        {
          ...model,
          embed() {
            times++
            if (end === 'close') line.close()
            return Promise.reject(new Error('gone'))
          },
          failure: () => (end === 'failure' ? new Error('gone') : undefined),
        },
        (error) => void failed.push(error),
      )
      for (const key of ['a', 'b', 'c']) line.askLater(key, key, () => {})
      await line.idle()
      expect([times, failed.length]).toEqual([1, end === 'failure' ? 1 : 0])
    }
  })
})

describe('the sentence of a tool', () => {
  it('is its name as words, its description and its hint', () => {
    const draft = tool('web.searchIssues_v2', 'Finds issues.', { searchHint: 'bug tracker' })
    expect(toolSentence(catalogToolOf(draft))).toBe('search issues v2: Finds issues. bug tracker')
  })
})

describe('the installed model', () => {
  it('distinguishes near sentences from far ones, in a thread that close ends', async () => {
    const model = openSentenceModel()
    const [rain, umbrella, invoice] = await model.embed([
      'Will it rain tomorrow?',
      'Do I need an umbrella?',
      'Pay the invoice of the supplier.',
    ])
    const product = (a: Float32Array, b: Float32Array): number =>
      a.reduce((sum, x, at) => sum + x * b[at]!, 0)
    expect(model.dimensions).toBe(rain!.length)
    expect(product(rain!, rain!)).toBeCloseTo(1, 4)
    expect(product(rain!, umbrella!)).toBeGreaterThan(product(rain!, invoice!) + 0.1)
    // A text without words is rejected, and the thread continues.
    await expect(model.embed([''])).rejects.toThrow()
    expect(model.failure()).toBeUndefined()
    const unanswered = model.embed(['Will it rain?'])
    await Promise.all([model.close(), expect(unanswered).rejects.toThrow('has ended')])
    await expect(model.embed(['Will it rain?'])).rejects.toThrow('has ended')
  })

  it('lets a process end that never closes the search, and prints nothing', async () => {
    const script = `
      import { defineTool } from 'toolcrib'
      import { searchTools } from 'toolcrib/search'
      const tool = defineTool({ name: 'send_letter', description: 'Sends a letter.', execute: () => 0 })
      const search = searchTools([tool], { parts: { sentences: true } })
      await search.ready()
      console.log((await search.search('post a letter')).hits[0].tool.toolId)
      void search.search('something that the model is still reading when nobody waits')
    `
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      timeout: 60_000,
    })
    expect(await run).toEqual({ stdout: 'local.send_letter\n', stderr: '' })
  }, 90_000)
})
