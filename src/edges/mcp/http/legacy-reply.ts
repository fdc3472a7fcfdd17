import type { ServerResponse } from 'node:http'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import type { Channel } from './streams/create-channels.js'
import type { McpHttp } from './mcp-http.js'
import type { LegacySession } from './legacy-session.js'
import { sendEmpty } from '../../server/respond.js'
import { sendJson } from './reply.js'

/** Sends the answers to one POST: as a JSON body, or as a stream if another message comes before them. */
export interface LegacyReply {
  readonly send: (message: JsonObject) => void
  answer(message: JsonObject): void
  /** One of the requests will not be answered. */
  drop(): void
}

export interface LegacyReplyOptions {
  readonly http: McpHttp
  readonly session: LegacySession
  readonly response: ServerResponse
  /** How many answers there will be. */
  readonly expected: number
  readonly isBatch: boolean
  /** The client has disconnected and cannot resume. */
  lost(): void
}

export function createLegacyReply(options: LegacyReplyOptions): LegacyReply {
  const { http, session, response, isBatch, lost } = options
  const { channels } = session
  const answers: JsonObject[] = []
  let left = options.expected
  let channel: Channel | undefined

  const stream = (): Channel => {
    if (channel !== undefined) return channel
    channel = channels.open(response, lost)
    for (const answer of answers) channels.push(channel, answer)
    return channel
  }
  const settle = () => {
    left -= 1
    if (left > 0) return
    leave()
    if (channel !== undefined) channels.end(channel)
    else if (answers.length === 0) sendEmpty(response, 202)
    else sendJson(response, 200, isBatch ? answers : answers[0])
  }
  let slot: number | undefined = http.openPosts.add({ since: session.usedAt, stream })
  const leave = () => {
    if (slot !== undefined) http.openPosts.remove(slot)
    slot = undefined
  }
  response.once('close', () => {
    leave()
    // A stream may be resumed; a body that was never sent cannot.
    if (channel === undefined && left > 0) lost()
  })
  return {
    send(message) {
      if (left > 0 && (channel !== undefined || !response.destroyed)) channels.push(stream(), message)
    },
    answer(message) {
      if (channel === undefined) answers.push(message)
      else channels.push(channel, message)
      settle()
    },
    drop: settle,
  }
}
