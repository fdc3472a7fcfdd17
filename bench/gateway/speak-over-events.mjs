import { connect } from 'node:net'
import { ANSWER_MS, openSocket } from './keep-alive-socket.mjs'
import { post } from './speak.mjs'

/** The same over the transport of 2024-11-05, where answers come on an event stream separate from the requests. */
export async function openEventsClient({ url, tool }) {
  const address = new URL(url)
  const events = await openEvents(address)
  const endpoint = new URL(await events.endpoint, address)
  const socket = await openSocket(address)
  const send = async (message) => {
    const answered = message.id === undefined ? undefined : events.answerTo(message.id)
    await socket.send(post(endpoint, { jsonrpc: '2.0', ...message }, {}))
    return answered
  }
  const params = {
    protocolVersion: '2024-11-05',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  }
  await send({ id: 1, method: 'initialize', params })
  await send({ method: 'notifications/initialized' })
  let id = 10
  const call = async () => {
    id += 1
    const start = performance.now()
    const body = await send({
      id,
      method: 'tools/call',
      params: { name: tool, arguments: { text: `hello ${id}` } },
    })
    const took = performance.now() - start
    if (!body.includes(`hello ${id}`)) throw new Error(`${url} answered ${body.slice(0, 500)}`)
    return took
  }
  const close = () => {
    socket.close()
    events.close()
  }
  return { call, close }
}

async function openEvents(address) {
  const socket = connect({ host: address.hostname, port: Number(address.port), noDelay: true })
  const waiting = new Map()
  let gotEndpoint
  const endpoint = new Promise((resolve) => (gotEndpoint = resolve))
  let text = ''
  socket.setEncoding('utf8')
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    text += chunk
    const lines = text.split('\n')
    text = lines.pop()
    for (const line of lines) {
      const data = /^data: ?(.*)/.exec(line.trimEnd())?.[1]
      if (data === undefined) continue
      if (!data.startsWith('{')) gotEndpoint(data)
      const id = Number(/"id":(\d+)/.exec(data)?.[1])
      waiting.get(id)?.(data)
      waiting.delete(id)
    }
  })
  socket.write(
    `GET ${address.pathname} HTTP/1.1\r\nhost: ${address.host}\r\naccept: text/event-stream\r\n\r\n`,
  )
  return {
    endpoint,
    answerTo: (id) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no answer within ${ANSWER_MS} ms`)), ANSWER_MS)
        waiting.set(id, (data) => {
          clearTimeout(timer)
          resolve(data)
        })
      }),
    close: () => socket.destroy(),
  }
}
