// A stub of the wire of Google Pub/Sub: there is no server of it to be had. The client is the real one.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import grpc from '@grpc/grpc-js'
import { fromJSON } from '@grpc/proto-loader'

const require = createRequire(import.meta.url)
const protos = JSON.parse(
  readFileSync(
    require.resolve('@google-cloud/pubsub').replace(/build.*$/, 'build/protos/protos.json'),
    'utf8',
  ),
)
const loaded = grpc.loadPackageDefinition(fromJSON(protos, { longs: String, enums: String, bytes: Buffer }))
const { Publisher, Subscriber } = loaded.google.pubsub.v1

/** `onPublished` gets each message and its topic; an error that it throws is the answer. */
export async function startPubsub(onPublished) {
  let messages = 0
  let deliveries = 0
  /** By subscription: what waits, what is delivered and not settled, and the streams. */
  const subscriptions = new Map()
  const of = (name) => {
    if (!subscriptions.has(name)) subscriptions.set(name, { waiting: [], held: new Map(), streams: [] })
    return subscriptions.get(name)
  }

  function deliver(name) {
    const { waiting, held, streams } = of(name)
    while (waiting.length > 0 && streams.length > 0) {
      const message = waiting.shift()
      // In turns, as Pub/Sub spreads messages over subscribers.
      const stream = streams.push(streams.shift()) && streams.at(-1)
      const ack_id = `delivery-${++deliveries}`
      held.set(ack_id, message)
      stream.write({ receivedMessages: [{ ackId: ack_id, message }] })
    }
  }

  function push(name, { data, attributes }) {
    of(name).waiting.push({
      data,
      attributes,
      messageId: `message-${++messages}`,
      publishTime: { seconds: '1', nanos: 0 },
    })
    deliver(name)
  }

  function settle({ request }, done, isAck) {
    const { held, waiting } = of(request.subscription)
    for (const id of request.ackIds) {
      const message = held.get(id)
      if (!message || (!isAck && request.ackDeadlineSeconds > 0)) continue
      held.delete(id)
      if (!isAck) waiting.push(message)
    }
    done(null, {})
    deliver(request.subscription)
  }

  const server = new grpc.Server()
  server.addService(Publisher.service, {
    publish({ request }, done) {
      try {
        const messageIds = request.messages.map(({ data, attributes }) => {
          const id = `message-${++messages}`
          onPublished({ id, topic: request.topic, data, attributes })
          return id
        })
        done(null, { messageIds })
      } catch (error) {
        done(error)
      }
    },
  })
  server.addService(Subscriber.service, {
    streamingPull(stream) {
      let name
      const leave = () => {
        if (name) of(name).streams.splice(of(name).streams.indexOf(stream), 1)
        name = undefined
      }
      stream.on('data', ({ subscription }) => {
        if (!subscription) return
        if (subscription.endsWith('/absent'))
          return stream.emit('error', Object.assign(new Error('canary'), { code: grpc.status.NOT_FOUND }))
        name = subscription
        of(name).streams.push(stream)
        deliver(name)
      })
      for (const event of ['end', 'cancelled', 'error']) stream.on(event, leave)
      stream.on('end', () => stream.end())
    },
    acknowledge: (call, done) => settle(call, done, true),
    modifyAckDeadline: (call, done) => settle(call, done, false),
  })
  const port = await new Promise((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, found) =>
      error ? reject(error) : resolve(found),
    ),
  )
  return {
    host: `127.0.0.1:${port}`,
    push,
    left: (name) => of(name).waiting.length + of(name).held.size,
    close: () => server.forceShutdown(),
  }
}
