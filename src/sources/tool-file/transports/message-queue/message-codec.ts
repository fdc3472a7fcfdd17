import { loadPackage, type PackageUser } from '../../../../credentials/cloud/load-package.js'
import { setupProblem } from '../../../../credentials/credential-problem.js'
import { errorMessage } from '../../../../platform/text/error-message.js'
import type { QueueReply } from './providers/queue-provider.js'

export interface EncodedMessage {
  readonly body: Buffer
  readonly isText: boolean
  readonly contentType: string
}

/** Writes messages and reads replies in the format of a tool. */
export interface MessageCodec {
  /** Rejects with `MessageUnfit` where the value does not fit the schema of the messages. */
  encode(value: unknown): Promise<EncodedMessage>
  /** Rejects with the rest of a sentence where the reply cannot be read. */
  decode(reply: QueueReply): Promise<unknown>
}

/** A value that cannot be written as a message. The text is the rest of a sentence. */
export class MessageUnfit extends Error {
  override readonly name = 'MessageUnfit'
}

export const JSON_TYPE = 'application/json'
export const AVRO_TYPE = 'avro/binary'

export function jsonCodec(): MessageCodec {
  return {
    encode: async (value) => ({
      body: Buffer.from(JSON.stringify(value)),
      isText: true,
      contentType: JSON_TYPE,
    }),
    decode: async ({ body }) => parse(body),
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new Error('it is not JSON')
  }
}

interface AvroType {
  isValid(value: unknown, options: { errorHook(path: readonly string[]): void }): boolean
  toBuffer(value: unknown): Buffer
  fromBuffer(body: Buffer): unknown
}

interface Library {
  Type: { forSchema(schema: unknown, options?: object): AvroType }
}

/**
 * Avro in its binary form, without a header of a schema registry. A schema that is a list has the type of the messages
 * first and that of the replies second; a single type is used for both. A reply that says that it is JSON is read as JSON.
 */
export function avroCodec(schema: unknown, owner: PackageUser): MessageCodec {
  let opened: Promise<{ message: AvroType; reply: AvroType }> | undefined

  async function open(): Promise<{ message: AvroType; reply: AvroType }> {
    const loaded = await loadPackage<Library & { default?: Library }>('avsc', owner)
    const { Type } = loaded.default ?? loaded
    const [message, reply] =
      Array.isArray(schema) && schema.length === 2 ? (schema as unknown[]) : [schema, schema]
    try {
      return { message: Type.forSchema(message), reply: Type.forSchema(reply) }
    } catch (error) {
      throw setupProblem(
        `"${owner.entry}" cannot use the Avro schema of "${owner.name}" (${errorMessage(error)}); correct its .avsc file.`,
      )
    }
  }

  return {
    async encode(value) {
      const { message } = await (opened ??= open())
      let unfit: readonly string[] | undefined
      const isValid = message.isValid(value, { errorHook: (path) => (unfit ??= [...path]) })
      if (!isValid) throw new MessageUnfit(`"${unfit?.join('.') ?? ''}" does not fit its Avro schema`)
      return { body: message.toBuffer(value), isText: false, contentType: AVRO_TYPE }
    },
    async decode({ body, headers }) {
      if (/json/i.test(headers['content_type'] ?? '')) return parse(body)
      const { reply } = await (opened ??= open())
      try {
        return toJson(reply.fromBuffer(body))
      } catch {
        throw new Error('it does not fit the Avro schema')
      }
    },
  }
}

/** Records of Avro have classes of their own, and bytes become base64. */
function toJson(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, each: unknown) => {
      const { type, data } = (each ?? {}) as { type?: unknown; data?: unknown }
      return type === 'Buffer' && Array.isArray(data)
        ? Buffer.from(data as number[]).toString('base64')
        : each
    }),
  )
}
