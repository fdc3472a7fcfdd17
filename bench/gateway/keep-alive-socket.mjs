import { connect } from 'node:net'

/** Far longer than any acceptable answer. */
export const ANSWER_MS = 10_000
const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * One keep-alive connection with one request at a time: no HTTP client library affects the figures. A connection that
 * the server closed meanwhile is reopened.
 */
export async function openSocket(address) {
  let line = await openLine(address)
  return {
    async send(bytes) {
      if (line.isClosed()) line = await openLine(address)
      return line.send(bytes)
    },
    close: () => line.close(),
  }
}

async function openLine({ hostname, port }) {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let waiting
  let buffer = Buffer.alloc(0)
  let isClosed = false
  socket.on('data', (chunk) => {
    buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk])
    const read = readResponse(buffer)
    if (read === undefined) return
    buffer = buffer.subarray(read.length)
    const { resolve } = waiting
    waiting = undefined
    resolve(read)
  })
  const fail = (error) => {
    isClosed = true
    waiting?.reject(error ?? new Error('the connection was closed'))
  }
  socket
    .on('error', fail)
    .on('end', () => fail())
    .on('close', () => fail())
  return {
    isClosed: () => isClosed,
    send: (bytes) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new Error(`no answer within ${ANSWER_MS} ms; so far: ${buffer.toString('utf8', 0, 300)}`))
          socket.destroy()
        }, ANSWER_MS)
        const end = (settle) => (value) => {
          clearTimeout(timer)
          settle(value)
        }
        waiting = { resolve: end(resolve), reject: end(reject) }
        socket.write(bytes)
      }),
    close: () => socket.destroy(),
  }
}

/** The response at the front of the buffer, once it is complete. */
function readResponse(buffer) {
  const headEnd = buffer.indexOf(HEAD_END)
  if (headEnd === -1) return undefined
  const head = buffer.toString('latin1', 0, headEnd)
  const start = headEnd + 4
  const given = /\r\ncontent-length: *(\d+)/i.exec(head)
  const status = Number(head.slice(9, 12))
  if (given) {
    const length = start + Number(given[1])
    return buffer.length < length
      ? undefined
      : { status, head, body: buffer.toString('utf8', start, length), length }
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return { status, head, body: '', length: start }
  return readChunks(buffer, start, { status, head })
}

function readChunks(buffer, start, response) {
  const parts = []
  let at = start
  for (;;) {
    const lineEnd = buffer.indexOf('\r\n', at, 'latin1')
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(buffer.toString('latin1', at, lineEnd), 16)
    const from = lineEnd + 2
    if (buffer.length < from + size + 2) return undefined
    if (size === 0) return { ...response, body: parts.join(''), length: from + 2 }
    parts.push(buffer.toString('utf8', from, from + size))
    at = from + size + 2
  }
}
