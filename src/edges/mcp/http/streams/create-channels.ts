import type { ServerResponse } from 'node:http'
import { toJson } from '../../to-json.js'
import type { EventStreams } from './event-stream.js'

/** One sequence of messages to a client: those of one POST, or the session's own. It outlives its connection. */
export interface Channel {
  readonly key: string
  response: ServerResponse | undefined
  /** Number of the last event that went out on a connection. */
  written: number
  last: number
  isEnded: boolean
  /** Called when the connection broke and the client did not resume in time. */
  readonly lost: () => void
  grace: NodeJS.Timeout | undefined
}

export interface Channels {
  /** The session's own channel, for messages that belong to no request. */
  readonly own: Channel
  open(response: ServerResponse, lost: () => void): Channel
  push(channel: Channel, message: object): void
  end(channel: Channel): void
  /** Connects the session's own channel and ends its earlier connection. */
  connect(response: ServerResponse): void
  /** Resumes after the event of that id. False where the event is no longer stored. */
  resume(lastEventId: string, response: ServerResponse): boolean
  hasStream(): boolean
  close(): void
}

interface SentEvent {
  readonly channel: Channel
  readonly number: number
  readonly data: string
}

const MAX_EVENTS = 256
const MAX_BYTES = 1024 * 1024
/** When a client whose stream broke should reconnect. */
const RETRY_MS = 1000

export interface ChannelOptions {
  readonly streams: EventStreams
  readonly resumeGraceMs: number
  /** Whether the client supports an event with only an id, which makes a stream resumable from its start. */
  isPrimed(): boolean
}

/** The event streams of one session, with their latest events for clients that resume. */
export function createChannels({ streams, resumeGraceMs, isPrimed }: ChannelOptions): Channels {
  const channels = new Map<string, Channel>()
  const sent: SentEvent[] = []
  let sentBytes = 0
  let counter = 0
  let keys = 0

  const create = (key: string, lost: () => void): Channel => {
    const channel: Channel = {
      key,
      response: undefined,
      written: 0,
      last: 0,
      isEnded: false,
      lost,
      grace: undefined,
    }
    channels.set(key, channel)
    return channel
  }
  const own = create('0', () => undefined)

  const attach = (channel: Channel, response: ServerResponse) => {
    clearTimeout(channel.grace)
    channel.response?.end()
    channel.response = response
    response.once('close', () => detach(channel, response))
  }
  const detach = (channel: Channel, response: ServerResponse) => {
    if (channel.response !== response) return
    channel.response = undefined
    if (channel.isEnded || channel === own || !channels.has(channel.key)) return
    // Without the id of any event there is nothing to resume from.
    if (channel.written === 0 && !isPrimed()) return forget(channel)
    channel.grace = setTimeout(() => forget(channel), resumeGraceMs)
    channel.grace.unref()
  }
  const forget = (channel: Channel) => {
    channels.delete(channel.key)
    for (let at = sent.length - 1; at >= 0; at -= 1) if (sent[at]!.channel === channel) drop(at)
    channel.lost()
  }
  const drop = (at: number) => {
    const [event] = sent.splice(at, 1)
    sentBytes -= event!.data.length
    if (event!.channel.isEnded && event!.number === event!.channel.last) channels.delete(event!.channel.key)
  }
  const write = (channel: Channel, number: number, data: string) => {
    const { response } = channel
    if (response === undefined) return
    if (streams.write(response, { event: 'message', id: `${channel.key}-${number}`, data }))
      channel.written = number
  }

  return {
    own,
    open(response, lost) {
      const channel = create((++keys).toString(36), lost)
      streams.open(response)
      attach(channel, response)
      if (isPrimed())
        streams.write(response, { id: `${channel.key}-${++counter}`, retryMs: RETRY_MS, data: '' })
      return channel
    },
    push(channel, message) {
      const data = toJson(message)
      if (data === undefined) return
      const number = ++counter
      channel.last = number
      sent.push({ channel, number, data })
      sentBytes += data.length
      while (sent.length > 1 && (sent.length > MAX_EVENTS || sentBytes > MAX_BYTES)) drop(0)
      write(channel, number, data)
    },
    end(channel) {
      channel.isEnded = true
      clearTimeout(channel.grace)
      channel.response?.end()
    },
    connect(response) {
      streams.open(response)
      attach(own, response)
      if (isPrimed()) streams.write(response, { id: `0-${own.written}`, retryMs: RETRY_MS, data: '' })
      for (const event of sent)
        if (event.channel === own && event.number > own.written) write(own, event.number, event.data)
    },
    resume(lastEventId, response) {
      const match = /^([0-9a-z]+)-(\d{1,15})$/.exec(lastEventId)
      const channel = match === null ? undefined : channels.get(match[1]!)
      if (channel === undefined) return false
      streams.open(response)
      attach(channel, response)
      for (const event of sent)
        if (event.channel === channel && event.number > Number(match![2]))
          write(channel, event.number, event.data)
      if (channel.isEnded) response.end()
      return true
    },
    hasStream() {
      for (const channel of channels.values()) if (channel.response !== undefined) return true
      return false
    },
    close() {
      for (const channel of channels.values()) {
        clearTimeout(channel.grace)
        channel.isEnded = true
        channel.response?.end()
      }
      channels.clear()
      sent.length = 0
      sentBytes = 0
    },
  }
}
