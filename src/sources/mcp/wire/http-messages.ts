import type { IncomingHttpHeaders } from 'node:http'
import { messageKind, type JsonRpcMessage } from '../protocol/json-rpc.js'
import { noteLarge } from '../protocol/large-messages.js'
import type { ShapeLimits } from '../protocol/shape-limits.js'
import { createSseParser, type SseParser } from '../protocol/sse-events.js'
import { AnswerTooLarge } from '../connection/connection.js'
import type { HttpAnswer } from './http-call.js'
import { HttpRefusal } from './http-refusal.js'

export function isEventStream(headers: IncomingHttpHeaders): boolean {
  return /^\s*text\/event-stream\b/i.test(String(headers['content-type'] ?? ''))
}

export function createMessageParser(limits: ShapeLimits, take: (message: JsonRpcMessage) => void): SseParser {
  return createSseParser(
    { ...limits, refuse: (problem) => new AnswerTooLarge(problem, limits) },
    ({ event, data }) => {
      if (event !== 'message' || data === '') return
      for (const message of parseMessages(data)) take(message)
    },
  )
}

/** The messages of an answer that was no stream. Servers of 2025-03-26 may send a batch. */
export function messagesOf(answer: HttpAnswer): JsonRpcMessage[] {
  const messages = parseMessages(answer.body)
  if (messages.length === 0) throw new HttpRefusal(answer)
  return messages
}

function parseMessages(text: string): JsonRpcMessage[] {
  let value: unknown
  try {
    value = JSON.parse(text)
    noteLarge(value, text.length)
  } catch {
    return []
  }
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((message): message is JsonRpcMessage => messageKind(message) !== undefined)
}
