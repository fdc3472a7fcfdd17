import { expect, test } from 'vitest'
import { defineTool } from 'toolcrib'
import type { Exchange } from '../../../src/edges/mcp/gateway.js'
import { exchangeOf } from './support/exchange.js'
import { openGateway, textOf } from './support/open-gateway.js'

const call = { name: 'people__greet', arguments: {} }
const modern = (options: Partial<Exchange> = {}) =>
  exchangeOf({ era: 'modern', capabilities: { elicitation: {} }, ...options })
const accept = (content: unknown) => ({ action: 'accept', content })

test('a client with a session is asked during the call', async () => {
  const session = await (await openGateway()).session('legacy')
  const asked: unknown[] = []
  const exchange = exchangeOf({
    capabilities: { elicitation: {} },
    async ask({ method, params }) {
      asked.push([method, params?.['message']])
      return { action: 'accept', content: { name: 'Ann', place: 'Rome' } }
    },
  })
  expect(textOf(await session.handle('tools/call', call, exchange))).toBe('Hello Ann from Rome')
  expect(asked).toEqual([
    ['elicitation/create', 'Who?'],
    ['elicitation/create', 'Where?'],
  ])
})

test('a client without a session gets its questions as a result, and sends the answers with the next request', async () => {
  const session = await (await openGateway()).session('modern')
  const first = await session.handle('tools/call', call, modern())
  expect(first).toMatchObject({
    resultType: 'input_required',
    inputRequests: { name: { method: 'elicitation/create', params: { message: 'Who?' } } },
    requestState: expect.any(String),
  })
  const { requestState } = first
  const missing = await session.handle('tools/call', { ...call, requestState, inputResponses: {} }, modern())
  expect(missing).toMatchObject({ resultType: 'input_required', inputRequests: { name: {} } })
  const second = await session.handle(
    'tools/call',
    {
      ...call,
      requestState: missing['requestState'],
      inputResponses: { name: accept({ name: 'Ann' }), other: accept({}) },
    },
    modern(),
  )
  expect(second).toMatchObject({ resultType: 'input_required', inputRequests: { place: {} } })
  expect(second['requestState']).not.toBe(requestState)
  const last = {
    ...call,
    requestState: second['requestState'],
    inputResponses: { place: accept({ place: 'Rome' }) },
  }
  const result = await session.handle('tools/call', last, modern())
  expect(result).toMatchObject({ resultType: 'complete' })
  expect(textOf(result)).toBe('Hello Ann from Rome')
  // A client that missed the result gets it again.
  expect(textOf(await session.handle('tools/call', last, modern()))).toBe('Hello Ann from Rome')
})

test('answers may be sent before their questions', async () => {
  const session = await (await openGateway()).session('modern')
  const inputResponses = { name: accept({ name: 'Ann' }), place: { action: 'decline' }, more: accept({}) }
  const result = await session.handle('tools/call', { ...call, inputResponses }, modern())
  expect(textOf(result)).toBe('Hello Ann from decline')
})

test('a requestState is refused for any other caller, request or answer', async () => {
  const { session: open, gateway } = await openGateway()
  const session = await open('modern', { token: 'one' })
  const { requestState } = await session.handle('tools/call', call, modern())
  const refused = async (params: object, by = session) =>
    expect(by.handle('tools/call', { ...call, ...params }, modern())).rejects.toMatchObject({ code: -32602 })
  await refused({ requestState: `${String(requestState)}-TAMPERED` })
  await refused({ requestState: String(requestState).replace(/^./, 'x') })
  await refused({ requestState: 7 })
  await refused({ requestState, arguments: { other: true } })
  await refused({ requestState }, await open('modern', { token: 'two' }))
  await refused({ requestState }, await open('modern', { token: 'one', actor: 'bob' }))
  await refused({ requestState, inputResponses: { name: 12 } })
  await refused({ requestState, inputResponses: { name: { action: 'maybe' } } })
  await refused({ inputResponses: null })
  await gateway.close()
  await refused({ requestState })
})

test('a client is not asked a question for which it lacks the capability', async () => {
  const session = await (await openGateway()).session('modern')
  const result = await session.handle('tools/call', call, modern({ capabilities: { sampling: {} } }))
  expect(result).toMatchObject({ resultType: 'complete', isError: true })
  expect(textOf(result)).toContain('elicitation')
})

test('a client that disconnects cancels its call, unless its questions are open', async () => {
  const { crib, session: open } = await openGateway()
  const session = await open('modern')
  const gone = new AbortController()
  const { requestState } = await session.handle('tools/call', call, modern({ signal: gone.signal }))
  gone.abort()
  const inputResponses = { name: accept({ name: 'Ann' }) }
  const next = await session.handle('tools/call', { ...call, requestState, inputResponses }, modern())
  expect(next).toMatchObject({ resultType: 'input_required' })
  const leaving = new AbortController()
  const waits = session.handle(
    'tools/call',
    { ...call, requestState: next['requestState'] },
    modern({ signal: leaving.signal }),
  )
  leaving.abort()
  await expect(waits).rejects.toMatchObject({ code: -32603 })
  for await (const { invocation_id: id } of crib.invocations())
    expect(await crib.task(id).result()).toMatchObject({ status: 'canceled' })
})

test('too many questions of one caller do not block another caller', async () => {
  const { session: open } = await openGateway()
  const session = await open('modern')
  const asks = Array.from({ length: 1000 }, () => session.handle('tools/call', call, modern()))
  await Promise.all(asks)
  await expect(session.handle('tools/call', call, modern())).rejects.toMatchObject({ code: -32603 })
  const bob = await open('modern', { actor: 'bob' })
  expect(await bob.handle('tools/call', call, modern())).toMatchObject({ resultType: 'input_required' })
})

test('a tool that requests input asks the person who uses the client', async () => {
  const schemas = [
    undefined,
    { type: 'number' },
    { type: 'object', properties: { name: { type: 'string' } } },
  ]
  const tools = [
    defineTool({
      name: 'ask',
      namespace: 'people',
      description: 'Asks.',
      isReadOnly: true,
      isOpenWorld: false,
      input: { jsonSchema: { type: 'object', properties: { which: { type: 'number' } } } },
      async execute({ which }, { requestInput }) {
        const schema = schemas[Number(which)]
        return JSON.stringify(await requestInput({ message: 'Who?', ...(schema && { schema }) }))
      },
    }),
  ]
  const session = await (await openGateway({ crib: { tools } })).session('legacy')
  const answered = async (which: number, answer: Record<string, unknown>) => {
    const capabilities = { elicitation: {} }
    const exchange = exchangeOf({ capabilities, ask: async () => answer })
    const result = await session.handle('tools/call', { name: 'people__ask', arguments: { which } }, exchange)
    return JSON.parse(textOf(result)) as unknown
  }
  expect(await answered(0, accept({ answer: 'Ann' }))).toEqual(accept('Ann'))
  expect(await answered(1, accept({ answer: 7 }))).toEqual(accept(7))
  expect(await answered(2, accept({ name: 'Ann' }))).toEqual(accept({ name: 'Ann' }))
  expect(await answered(0, { action: 'decline' })).toEqual({ action: 'decline' })
  const nobody = await session.handle('tools/call', { name: 'people__ask', arguments: {} }, exchangeOf())
  expect(textOf(nobody)).toBe('{"action":"cancel"}')
})
