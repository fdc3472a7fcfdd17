// A stub of the wire of Kafka: npm and Debian have no broker that the client of this workspace can talk to. The client is the
// real one, and its own readers and writers are used here.
import { createServer } from 'node:net'
import { createRecordsBatch, Reader, readRecordsBatch, Writer } from '@platformatic/kafka'

/** The one version of each API. */
const VERSIONS = { 0: 7, 1: 12, 2: 6, 3: 9, 10: 4, 11: 6, 12: 4, 13: 4, 14: 4, 17: 1, 18: 3, 36: 2 }
const PLAIN_HEADERS = new Set([0, 17])
const UNKNOWN_TOPIC = 3
const REFUSED = 58

/** `onProduced` gets each message. Topics that begin with `absent` do not exist. */
export async function startKafka(onProduced, { login } = {}) {
  const topics = new Map()
  const waiting = new Set()
  const logOf = (topic) => {
    if (!topics.has(topic)) topics.set(topic, { batches: [], end: 0n })
    return topics.get(topic)
  }

  function append(topic, batch) {
    const log = logOf(topic)
    const first = log.end
    // The checksum does not cover the offset.
    batch.writeBigInt64BE(first, 0)
    const records = BigInt(batch.readInt32BE(57))
    log.batches.push({ first, last: first + records - 1n, batch })
    log.end += records
    for (const wake of waiting) wake()
    return first
  }

  function push(topic, { headers = {}, value }) {
    const pairs = Object.entries(headers).map(([name, text]) => [Buffer.from(name), Buffer.from(text)])
    const message = { topic, value, headers: new Map(pairs), timestamp: BigInt(Date.now()) }
    append(topic, Buffer.from(createRecordsBatch([message], {}).buffer))
  }

  const apis = {
    18: (w) =>
      w
        .appendInt16(0)
        .appendArray(Object.entries(VERSIONS), (each, [key, version]) =>
          each.appendInt16(Number(key)).appendInt16(version).appendInt16(version),
        )
        .appendInt32(0)
        .appendTaggedFields(),
    17(w, r) {
      r.readString(false)
      return w
        .appendInt16(0)
        .appendArray(['PLAIN'], (each, name) => each.appendString(name, false), false, false)
    },
    36(w, r) {
      const [, username, password] = r.readBytes().toString('utf8').split('\0')
      const isRight = username === login?.username && password === login?.password
      return w
        .appendInt16(isRight ? 0 : REFUSED)
        .appendString(isRight ? null : 'canary')
        .appendBytes(Buffer.alloc(0))
        .appendInt64(0n)
        .appendTaggedFields()
    },
    3(w, r) {
      const names = r.readArray((each) => each.readString()) ?? []
      return w
        .appendInt32(0)
        .appendArray([server.address().port], (each, port) =>
          each.appendInt32(1).appendString('127.0.0.1').appendInt32(port).appendString(null),
        )
        .appendString('cluster')
        .appendInt32(1)
        .appendArray(names, (each, name) =>
          each
            .appendInt16(name.startsWith('absent') ? UNKNOWN_TOPIC : 0)
            .appendString(name)
            .appendBoolean(false)
            .appendArray([0], (partition) =>
              partition
                .appendInt16(0)
                .appendInt32(0)
                .appendInt32(1)
                .appendInt32(0)
                .appendArray([1], (x, id) => x.appendInt32(id), true, false)
                .appendArray([1], (x, id) => x.appendInt32(id), true, false)
                .appendArray([], () => {}, true, false),
            )
            .appendInt32(0),
        )
        .appendInt32(0)
        .appendTaggedFields()
    },
    0(w, r) {
      r.readNullableString(false)
      r.readInt16()
      r.readInt32()
      const produced = r.readArray(
        (each) => ({
          topic: each.readString(false),
          partitions: each.readArray(
            (part) => {
              part.readInt32()
              const size = part.readInt32()
              const batch = Buffer.from(part.buffer.slice(part.position, part.position + size))
              part.skip(size)
              return batch
            },
            false,
            false,
          ),
        }),
        false,
        false,
      )
      const answered = produced.map(({ topic, partitions }) => ({
        topic,
        offsets: partitions.map((batch) => {
          const { records } = readRecordsBatch(Reader.from(batch))
          const first = append(topic, batch)
          for (const { headers, value } of records)
            onProduced({
              topic,
              value,
              headers: Object.fromEntries([...headers].map(([name, text]) => [String(name), String(text)])),
            })
          return first
        }),
      }))
      return w
        .appendArray(
          answered,
          (each, { topic, offsets }) =>
            each
              .appendString(topic, false)
              .appendArray(
                offsets,
                (part, offset) =>
                  part.appendInt32(0).appendInt16(0).appendInt64(offset).appendInt64(-1n).appendInt64(0n),
                false,
                false,
              ),
          false,
          false,
        )
        .appendInt32(0)
    },
    2(w, r) {
      r.readInt32()
      r.readInt8()
      const asked = r.readArray((each) => {
        const name = each.readString()
        each.readArray((part) => [part.readInt32(), part.readInt32(), part.readInt64()])
        return name
      })
      return w
        .appendInt32(0)
        .appendArray(asked, (each, name) =>
          each
            .appendString(name)
            .appendArray([0], (part) =>
              part.appendInt32(0).appendInt16(0).appendInt64(-1n).appendInt64(logOf(name).end).appendInt32(0),
            ),
        )
        .appendTaggedFields()
    },
    10(w, r) {
      r.readInt8()
      const keys = r.readArray((each) => each.readString(), true, false)
      return w
        .appendInt32(0)
        .appendArray(keys, (each, key) =>
          each
            .appendString(key)
            .appendInt32(1)
            .appendString('127.0.0.1')
            .appendInt32(server.address().port)
            .appendInt16(0)
            .appendString(null),
        )
        .appendTaggedFields()
    },
    11(w, r) {
      const group = r.readString()
      r.readInt32()
      r.readInt32()
      const member = r.readString() || `member-of-${group}`
      r.readNullableString()
      r.readString()
      const [{ name, metadata }] = r.readArray((each) => ({
        name: each.readString(),
        metadata: each.readBytes(),
      }))
      return w
        .appendInt32(0)
        .appendInt16(0)
        .appendInt32(1)
        .appendString(name)
        .appendString(member)
        .appendString(member)
        .appendArray([member], (each, id) => each.appendString(id).appendString(null).appendBytes(metadata))
        .appendTaggedFields()
    },
    14(w, r) {
      r.readString()
      r.readInt32()
      r.readString()
      r.readNullableString()
      const [assignment] = r.readArray((each) => (each.readString(), each.readBytes()))
      return w.appendInt32(0).appendInt16(0).appendBytes(assignment).appendTaggedFields()
    },
    12: (w) => w.appendInt32(0).appendInt16(0).appendTaggedFields(),
    13: (w) =>
      w
        .appendInt32(0)
        .appendInt16(0)
        .appendArray([], () => {})
        .appendTaggedFields(),
    async 1(w, r) {
      r.readInt32()
      const waitMs = r.readInt32()
      r.readInt32()
      r.readInt32()
      r.readInt8()
      r.readInt32()
      r.readInt32()
      const [{ topic, from }] = r.readArray((each) => {
        const name = each.readString()
        const [offset] = each.readArray((part) => {
          part.readInt32()
          part.readInt32()
          const at = part.readInt64()
          part.readInt32()
          part.readInt64()
          part.readInt32()
          return at
        })
        return { topic: name, from: offset }
      })
      const log = logOf(topic)
      if (log.end <= from)
        await new Promise((resolve) => {
          const wake = () => {
            waiting.delete(wake)
            clearTimeout(timer)
            resolve()
          }
          const timer = setTimeout(wake, waitMs)
          waiting.add(wake)
        })
      const found = log.batches.filter(({ last }) => last >= from).map(({ batch }) => batch)
      return w
        .appendInt32(0)
        .appendInt16(0)
        .appendInt32(0)
        .appendArray([0], (each) =>
          each.appendString(topic).appendArray([0], (part) =>
            part
              .appendInt32(0)
              .appendInt16(0)
              .appendInt64(log.end)
              .appendInt64(log.end)
              .appendInt64(0n)
              .appendArray([], () => {})
              .appendInt32(-1)
              .appendBytes(Buffer.concat(found)),
          ),
        )
        .appendTaggedFields()
    },
  }

  async function answer(frame) {
    const reader = Reader.from(frame)
    const key = reader.readInt16()
    reader.readInt16()
    const correlation = reader.readInt32()
    reader.readNullableString(false)
    if (!PLAIN_HEADERS.has(key)) reader.readTaggedFields()
    const writer = Writer.create().appendInt32(correlation)
    if (!PLAIN_HEADERS.has(key) && key !== 18) writer.appendTaggedFields()
    const { buffer } = await apis[key](writer, reader)
    const size = Buffer.alloc(4)
    size.writeInt32BE(buffer.length)
    return Buffer.concat([size, buffer])
  }

  const sockets = new Set()
  const server = createServer((socket) => {
    sockets.add(socket)
    let rest = Buffer.alloc(0)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    socket.on('data', async (chunk) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 4 && rest.length >= 4 + rest.readInt32BE(0)) {
        const frame = rest.subarray(4, 4 + rest.readInt32BE(0))
        rest = rest.subarray(4 + frame.length)
        answer(frame).then(
          (response) => socket.write(response),
          (error) => {
            console.error(error)
            socket.destroy()
          },
        )
      }
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    broker: `127.0.0.1:${server.address().port}`,
    push,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
