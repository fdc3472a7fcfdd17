// A small SQL Server: enough of its protocol (TDS 7.4) for the real client library. It runs no SQL.
import { createServer } from 'node:net'

const TYPES = { batch: 0x01, rpc: 0x03, attention: 0x06, transaction: 0x0e, login: 0x10, prelogin: 0x12 }
const TRANSACTIONS = { 5: ['begin', 8], 7: ['commit', 9], 8: ['rollback', 10] }

export const PASSWORD = 'canary-of-mssql-41b7'

/**
 * `answer({ sql, values })` returns `{ columns, rows }`, `{ affected }`, `{ error: { number, message } }` or `hang`. `seen` has the
 * statements, and begin, commit, rollback and attention.
 */
export async function startTds(answer) {
  const seen = []
  const sockets = new Set()
  let hanging = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    let rest = Buffer.alloc(0)
    let message = Buffer.alloc(0)
    let isHanging = false
    const send = (...tokens) => socket.write(packet(Buffer.concat(tokens)))

    async function handle(type, data) {
      switch (type) {
        case TYPES.prelogin:
          return send(PRELOGIN)
        case TYPES.login:
          return passwordIn(data) === PASSWORD
            ? send(LOGIN_ACK, done())
            : send(error({ number: 18456, message: `Login failed with ${passwordIn(data)}.` }), done(0x02))
        case TYPES.batch:
          return send(done())
        case TYPES.transaction: {
          const [name, change] = TRANSACTIONS[data.readUInt16LE(data.readUInt32LE(0))]
          seen.push(name)
          return send(transactionChange(change), done())
        }
        case TYPES.attention:
          seen.push('attention')
          // As the server does: the end of the answer, and then that it has seen the signal.
          if (isHanging) send(done(0x02, 0, 0xfe))
          if (isHanging) hanging--
          isHanging = false
          return send(done(0x20))
        case TYPES.rpc: {
          const request = requestIn(data)
          seen.push(request)
          const answered = await answer(request)
          if (answered === 'hang') {
            hanging++
            isHanging = true
            socket.once('close', () => isHanging && hanging--)
            return
          }
          return send(...tokensOf(answered))
        }
        default:
          return socket.destroy()
      }
    }

    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 8 && rest.length >= rest.readUInt16BE(2)) {
        const length = rest.readUInt16BE(2)
        message = Buffer.concat([message, rest.subarray(8, length)])
        const [type, isLast] = [rest[0], (rest[1] & 1) === 1]
        rest = rest.subarray(length)
        if (!isLast) continue
        const whole = message
        message = Buffer.alloc(0)
        void handle(type, whole)
      }
    })
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    port: server.address().port,
    seen,
    connections: () => sockets.size,
    running: () => hanging,
    dropConnections: () => sockets.forEach((socket) => socket.destroy()),
    stop: () =>
      new Promise((closed) => {
        server.close(closed)
        for (const socket of sockets) socket.destroy()
      }),
  }
}

const u8 = (value) => Buffer.from([value])
const u16 = (value) => Buffer.from([value & 255, value >> 8])
const u32 = (value) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const ucs2 = (text) => Buffer.from(text, 'utf16le')
const short = (text) => Buffer.concat([u8(text.length), ucs2(text)])
const long = (text) => Buffer.concat([u16(text.length), ucs2(text)])

/** In packets of at most 4096 bytes. */
function packet(data) {
  const parts = []
  for (let from = 0; from === 0 || from < data.length; from += 4088) {
    const part = data.subarray(from, from + 4088)
    const header = Buffer.from([4, from + 4088 >= data.length ? 1 : 0, 0, 0, 0, 0, 1, 0])
    header.writeUInt16BE(part.length + 8, 2)
    parts.push(header, part)
  }
  return Buffer.concat(parts)
}

/** A version, and that there is no encryption. */
const PRELOGIN = Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 255, 16, 0, 0, 0, 0, 0, 2])

const LOGIN_ACK = (() => {
  const body = Buffer.concat([u8(1), Buffer.from([0x74, 0, 0, 4]), short('Stub'), Buffer.from([16, 0, 0, 0])])
  return Buffer.concat([u8(0xad), u16(body.length), body])
})()

const done = (status = 0, rows = 0, token = 0xfd) =>
  Buffer.concat([u8(token), u16(status), u16(0), u32(rows), u32(0)])

function error({ number, message, state = 1 }) {
  const body = Buffer.concat([u32(number), u8(state), u8(14), long(message), short(''), short(''), u32(1)])
  return Buffer.concat([u8(0xaa), u16(body.length), body])
}

function transactionChange(type) {
  const id = Buffer.concat([u8(8), Buffer.from([1, 2, 3, 4, 5, 6, 7, 8])])
  const body = Buffer.concat([u8(type), ...(type === 8 ? [id, u8(0)] : [u8(0), id])])
  return Buffer.concat([u8(0xe3), u16(body.length), body])
}

const COLLATION = Buffer.from([0x09, 0x04, 0xd0, 0x00, 0x34])

/** How columns of a type are described, and how a value is written. */
const WRITERS = {
  int: [Buffer.from([0x26, 4]), (value) => Buffer.concat([u8(4), u32(value)])],
  bigint: [
    Buffer.from([0x26, 8]),
    (value) => {
      const bytes = Buffer.alloc(8)
      bytes.writeBigInt64LE(BigInt(value))
      return Buffer.concat([u8(8), bytes])
    },
  ],
  bit: [Buffer.from([0x68, 1]), (value) => Buffer.from([1, value ? 1 : 0])],
  date: [
    Buffer.from([0x28]),
    (value) => {
      const days = Date.parse(value) / 86_400_000 + 719_162
      return Buffer.from([3, days & 255, (days >> 8) & 255, days >> 16])
    },
  ],
  nvarchar: [
    Buffer.concat([u8(0xe7), u16(0xffff), COLLATION]),
    (value) => {
      if (value === null) return Buffer.alloc(8, 0xff)
      const bytes = ucs2(value)
      const total = Buffer.concat([u32(bytes.length), u32(0)])
      return Buffer.concat([total, ...(bytes.length > 0 ? [u32(bytes.length), bytes] : []), u32(0)])
    },
  ],
}

function tokensOf({ columns, rows = [], affected = 0, error: failed }) {
  if (failed) return [error(failed), done(0x02, 0, 0xfe)]
  if (!columns) return [done(0x11, affected, 0xff), done(0, 0, 0xfe)]
  const described = Object.entries(columns).map(([name, type]) =>
    Buffer.concat([u32(0), u16(9), WRITERS[type][0], short(name)]),
  )
  const types = Object.values(columns)
  const written = rows.map((row) =>
    Buffer.concat([u8(0xd1), ...row.map((value, at) => WRITERS[types[at]][1](value))]),
  )
  const metadata = Buffer.concat([u8(0x81), u16(described.length), ...described])
  return [metadata, ...written, done(0x11, rows.length, 0xff), done(0, 0, 0xfe)]
}

function passwordIn(data) {
  const [offset, length] = [data.readUInt16LE(44), data.readUInt16LE(46)]
  const hidden = data.subarray(offset, offset + length * 2).map((byte) => byte ^ 0xa5)
  return Buffer.from(hidden.map((byte) => ((byte << 4) | (byte >> 4)) & 255)).toString('utf16le')
}

/** The text and the values of sp_executesql. */
function requestIn(data) {
  let at = data.readUInt32LE(0) + 6
  const values = []
  const take = (length) => data.subarray(at, (at += length))
  function value() {
    const [type] = take(1)
    if (type === 0xe7) {
      const size = take(2).readUInt16LE()
      take(5)
      if (size !== 0xffff) {
        const length = take(2).readUInt16LE()
        return length === 0xffff ? null : take(length).toString('utf16le')
      }
      const total = take(8)
      if (total.every((byte) => byte === 255)) return null
      const parts = []
      for (let length = take(4).readUInt32LE(); length > 0; length = take(4).readUInt32LE())
        parts.push(take(length))
      return Buffer.concat(parts).toString('utf16le')
    }
    take(1)
    const [length] = take(1)
    const bytes = take(length)
    if (length === 0) return null
    if (type === 0x68) return bytes[0] === 1
    if (type === 0x6d) return bytes.readDoubleLE()
    return length === 8 ? bytes.readBigInt64LE() : bytes.readInt32LE()
  }
  while (at < data.length) {
    take(take(1)[0] * 2)
    take(1)
    values.push(value())
  }
  const [sql, declared = '', ...bound] = values
  const names = [...declared.matchAll(/@(\w+) /g)].map(([, name]) => name)
  for (const [, name] of sql.matchAll(/@(\d+)/g))
    if (!names.includes(name)) throw new Error(`@${name} is not declared`)
  return { sql, values: bound }
}
