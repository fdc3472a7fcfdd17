// The task: answer the tickets of the shop. Every step says what happens and where the console shows it.
import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createApi } from './api.mjs'

/**
 * Works through the task with the token of an agent. With the token of a reviewer, the questions in the inbox are answered here;
 * otherwise a person answers them in the console.
 */
export async function runTask({ url, session, agentToken, reviewerToken, waits, isFast, say }) {
  const agent = createApi(url, agentToken)
  const call = (tool, input, more) => agent.post('/calls', { tool, input, session, ...more })
  /** Tools of the task that are not on the list from the start. */
  const load = (...names) => call('tool.search', { query: `select:${names.join(',')}` })
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, isFast ? 0 : ms))
  const step = async (title, look) => {
    await pause(2500)
    say(`\n${title}\n  Look at ${url}${look}`)
  }

  await step('1. The agent connects over MCP and reads four things at once.', '/live')
  const client = await connect(url, agentToken)
  await readInParallel(client, say)

  await step('2. It needs the price of a parcel. A search finds the tool.', '/surfaces')
  await findTool(client, say)
  await client.close()

  await step('3. A refund and a discount need a person: two questions go to the inbox.', '/inbox')
  await load(
    'api__shop__refundOrder',
    'aml__desk__ask-the-owner',
    'api__shop__deleteOrder',
    'api__shop__exportOrders',
    'mcp__stock__count_shelves',
  )
  const waiting = await askPeople(call, say)

  await step('4. Meanwhile it tries what it may not do.', '/calls')
  await beDenied(call, say)

  await step('5. It reads three orders as one batch.', '/calls')
  await readBatch(agent, session, say)

  await step('6. It exports the orders of the year: too long for a prompt.', '/calls')
  await readLargeResult(call, say)

  await step('7. Its code combines the answers of other tools.', '/calls')
  await runCode(call, say)

  await step('8. It lets the shelves be counted, with progress.', '/live')
  await count(agent, call, { isFast, say })

  await step('9. It starts a slow count, and cancels it.', '/live')
  await cancel(agent, call, say)

  if (!waits) return say(`\nTwo questions wait: ${url}/inbox`)
  await step(
    reviewerToken === undefined
      ? '10. Two questions wait for you. Answer them in the inbox.'
      : '10. A reviewer answers: not 356 euros but 89, and ten percent.',
    '/inbox',
  )
  if (reviewerToken !== undefined) {
    await pause(5000)
    await answer(createApi(url, reviewerToken), waiting)
  }
  for (const { id, what } of waiting) {
    const { is_error: isError, error, structured_content: content } = await agent.resultOf(id)
    say(`  ${what}: ${isError ? error.message : sentenceOf(content)}\n  Its story: ${url}/calls/${id}`)
  }
  say(`\nDone. Every call is in ${url}/calls`)
}

function sentenceOf({ refunded, discount_percent: percent }) {
  return percent === undefined ? `${refunded} euros were paid back.` : `${percent} percent.`
}

async function connect(url, token) {
  const client = new Client({ name: 'quickstart-demo', version: '1.0.0' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }))
  return client
}

async function readInParallel(client, say) {
  const { tools } = await client.listTools()
  say(`  ${tools.length} tools are on its list; the others are found by search.`)
  const results = await Promise.all([
    client.callTool({ name: 'read_file', arguments: { path: 'workspace/notes/refunds.md' } }),
    client.callTool({ name: 'read_file', arguments: { path: 'workspace/products.csv' } }),
    client.callTool({ name: 'search_files', arguments: { pattern: 'discount', path: 'workspace' } }),
    client.callTool({ name: 'shop__listTickets', arguments: {} }),
  ])
  assert.ok(results.every(({ isError }) => isError !== true))
  say(`  ${results.length} results; ${results[3].structuredContent.items.length} tickets are open.`)
}

async function findTool(client, say) {
  const name = 'desk__shipping-quote'
  const isListed = async () => (await client.listTools()).tools.some((tool) => tool.name === name)
  assert.equal(await isListed(), false)
  await client.callTool({ name: 'tool__search', arguments: { query: 'what does it cost to send a parcel' } })
  assert.equal(await isListed(), true)
  const { structuredContent: quote } = await client.callTool({
    name,
    arguments: { weight_grams: 2400, zone: 'europe' },
  })
  say(`  Found and loaded ${name}: ${quote.euros} euros, ${quote.days} days.`)
}

/** Two calls that wait for a person. The first one asks for too much: a reviewer can correct it. */
async function askPeople(call, say) {
  const refund = { id: 'o-1022', body: { amount: 356, reason: 'One of the lamps arrived broken.' } }
  const calls = [
    { what: 'The refund', tool: 'api.shop.refundOrder', input: refund },
    {
      what: 'The discount',
      tool: 'aml.desk.ask-the-owner',
      input: { order: 'o-1011', request: 'Twenty chairs a year: is there a discount?' },
    },
  ]
  const waiting = calls.map(async ({ what, tool, input }) => {
    const { invocation_id: id, approval_id: approval } = await call(tool, input)
    assert.ok(approval, `${tool} waits for a person`)
    return { id, approval, what }
  })
  say(`  ${calls.map(({ tool }) => tool).join(' and ')} wait.`)
  return Promise.all(waiting)
}

async function answer(reviewer, [refund, discount]) {
  const edited = { id: 'o-1022', body: { amount: 89, reason: 'One of the lamps arrived broken.' } }
  await reviewer.post(`/approvals/${refund.approval}/answer`, { approved: true, input: edited })
  const content = { discount_percent: 10, note: 'Ten percent from the next order on.' }
  await reviewer.post(`/approvals/${discount.approval}/answer`, { approved: true, content })
}

async function beDenied(call, say) {
  const denied = [
    await call('read_file', { path: 'workspace/.env' }),
    await call('api.shop.deleteOrder', { id: 'o-1022' }),
    await call('shell.exec', { command: 'rm -r workspace/notes' }),
  ]
  for (const { error } of denied) {
    assert.equal(error.error_class, 'permission_denied')
    say(`  ${error.message}`)
  }
}

async function readBatch(agent, session, say) {
  const calls = ['o-1011', 'o-1012', 'o-1022'].map((id) => ({ tool: 'api.shop.getOrder', input: { id } }))
  const { results } = await agent.post('/batches', { calls, session })
  assert.ok(results.every(({ status }) => status === 'succeeded'))
  say(`  ${results.map(({ structured_content: order }) => `${order.id}: ${order.total} euros`).join(', ')}`)
}

async function readLargeResult(call, say) {
  const { persisted_payload_ref: stored } = await call('api.shop.exportOrders', {})
  const { uri, size_bytes: bytes, toolcrib } = stored
  say(`  It gets a preview. The whole is stored: ${toolcrib.line_count} lines, ${bytes} bytes.`)
  const page = await call('result.read', { ref: uri, line: toolcrib.line_count, lines: 1 })
  assert.equal(page.is_error, false)
  say(`  It reads the last line: ${page.content[0].text.split('\n')[0]}`)
}

async function runCode(call, say) {
  const code = `
    const { items } = await tools.api.shop.listTickets({})
    const orders = await Promise.all(items.map(({ order }) => callTool('api.shop.getOrder', { id: order })))
    return { tickets: items.length, euros: orders.reduce((sum, { total }) => sum + total, 0) }`
  const { structured_content: found } = await call('code.run', { code })
  say(`  ${found.calls} inner calls: ${found.value.tickets} tickets about ${found.value.euros} euros.`)
}

async function count(agent, call, { isFast, say }) {
  const { invocation_id: id } = await call(
    'mcp.stock.count_shelves',
    { seconds_per_shelf: isFast ? 0 : 1 },
    { mode: 'background' },
  )
  const { structured_content: counted } = await agent.resultOf(id)
  say(`  ${counted.total} pieces on ${Object.keys(counted.pieces).length} shelves.`)
}

async function cancel(agent, call, say) {
  const input = { seconds_per_shelf: 10 }
  const { invocation_id: id } = await call('mcp.stock.count_shelves', input, { mode: 'background' })
  while ((await agent.get(`/invocations/${id}`)).invocation.status !== 'running')
    await new Promise((resolve) => setTimeout(resolve, 20))
  await agent.post(`/invocations/${id}/cancel`, { reason: 'user_interruption' })
  const { status } = await agent.resultOf(id)
  assert.equal(status, 'canceled')
  say('  Canceled. It still has a result, and a story.')
}
