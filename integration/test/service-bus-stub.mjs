// A stub of the wire of Azure Service Bus (AMQP 1.0): its emulator needs Docker. The client is the real one.
import { randomUUID } from 'node:crypto'
import rhea from 'rhea'

/** `onSent` gets each message and the name of its queue. Queues whose name begins with `absent` do not exist. */
export async function startServiceBus(onSent) {
  const container = rhea.create_container({ id: 'service-bus-stub' })
  // The mechanism of Service Bus: tokens follow over the link $cbs.
  for (const name of ['MSSBCBS', 'ANONYMOUS'])
    container.sasl_server_mechanisms[name] = () => ({
      outcome: true,
      start() {},
      step() {},
    })
  const queues = new Map()
  const of = (name) => {
    if (!queues.has(name)) queues.set(name, { waiting: [], held: new Map(), links: [] })
    return queues.get(name)
  }

  function deliver(name) {
    const { waiting, held, links } = of(name)
    while (waiting.length > 0) {
      const free = links.filter((each) => each.has_credit())
      // Another receiver than the one that gave it back, where there is one.
      const link = free.find((each) => each !== waiting[0].last) ?? free[0]
      if (!link) return
      const message = waiting.shift()
      message.last = link
      message.delivery_count = (message.delivery_count ?? -1) + 1
      // A lock is a UUID, and the tag of the delivery.
      const tag = Buffer.from(randomUUID().replaceAll('-', ''), 'hex')
      const until = rhea.types.wrap_timestamp(Date.now() + 30_000)
      const { last: _, ...sent } = message
      const delivery = link.send({ ...sent, message_annotations: { 'x-opt-locked-until': until } }, tag)
      held.set(delivery, message)
    }
  }

  function push(name, message) {
    of(name).waiting.push(message)
    deliver(name)
  }

  const answerTo = new Map()
  container.on('receiver_open', ({ receiver }) => {
    const { address } = receiver.target
    receiver.set_target({ address })
    if (address.startsWith('absent'))
      receiver.close({
        condition: 'amqp:not-found',
        description: "The messaging entity 'sb://canary/absent' could not be found.",
      })
  })
  container.on('sender_open', ({ sender }) => {
    const { address } = sender.source
    sender.set_source({ address })
    if (address.startsWith('absent'))
      return sender.close({
        condition: 'amqp:not-found',
        description: "The messaging entity 'sb://canary/absent' could not be found.",
      })
    if (address === '$cbs') answerTo.set(sender.connection, sender)
    else of(address).links.push(sender)
  })
  container.on('sender_close', ({ sender }) => forget(sender))
  container.on('disconnected', ({ connection }) => {
    for (const queue of queues.values())
      queue.links = queue.links.filter((link) => link.connection !== connection)
  })
  function forget(sender) {
    const { links } = of(sender.source?.address)
    if (links.includes(sender)) links.splice(links.indexOf(sender), 1)
  }
  container.on('sendable', ({ sender }) => {
    if (sender.source.address !== '$cbs') deliver(sender.source.address)
  })
  container.on('message', ({ message, receiver, connection }) => {
    const { address } = receiver.target
    if (address !== '$cbs') return onSent(address, message)
    answerTo.get(connection).send({
      correlation_id: message.message_id,
      application_properties: { 'status-code': 202, 'status-description': 'OK' },
      body: '',
    })
  })
  const settled = (name, isTaken) =>
    container.on(name, ({ delivery, sender }) => {
      const { held, waiting } = of(sender.source.address)
      const message = held.get(delivery)
      if (!message) return
      held.delete(delivery)
      if (!isTaken) waiting.push(message)
      delivery.update(true, rhea.message.accepted().described())
      deliver(sender.source.address)
    })
  settled('accepted', true)
  for (const name of ['modified', 'released', 'rejected']) settled(name, false)

  const sockets = new Set()
  const server = container.listen({ port: 0, host: '127.0.0.1' })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `sb://127.0.0.1:${server.address().port}`,
    push,
    left: (name) => of(name).waiting.length + of(name).held.size,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** The bytes of a message, which has one data section. */
export const dataOf = ({ body }) => JSON.parse((body.content ?? body).toString('utf8'))

export const dataSection = (value) => rhea.message.data_section(Buffer.from(JSON.stringify(value)))
