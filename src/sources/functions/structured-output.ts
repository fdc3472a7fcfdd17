import type { Readable } from 'node:stream'
import type { ToolOutput } from '../../catalog/tool-output.js'

/**
 * What a result holds as `structured_content`, by the type that an executor returns: the value as JSON. A text, nothing,
 * bytes and streams have none; they are in `content`. Of a `toolOutput(…)` nothing is known.
 */
export type StructuredOutput<Returned> = 0 extends 1 & Returned
  ? unknown
  : unknown extends Returned
    ? unknown
    : Returned extends string | null | undefined | void | Uint8Array | Blob | Readable | ReadableStream
      ? undefined
      : IsToolOutput<Returned> extends true
        ? unknown
        : JsonOf<Returned>

/** Both ways: an object that happens to have a `summary` is no such output. */
type IsToolOutput<Value> = Value extends ToolOutput ? (ToolOutput extends Value ? true : false) : false

/** A value after `JSON.stringify` and back. */
type JsonOf<Value> = 0 extends 1 & Value
  ? unknown
  : Value extends string | number | boolean | null
    ? Value
    : Value extends { toJSON(...given: never): infer Json }
      ? JsonOf<Json>
      : Value extends Unwritten
        ? never
        : Value extends readonly unknown[]
          ? { [At in keyof Value]: Value[At] extends Unwritten ? null : JsonOf<Value[At]> }
          : Value extends object
            ? JsonObjectOf<Value>
            : unknown

/** What JSON leaves out of an object. */
type Unwritten = undefined | symbol | ((...given: never) => unknown)

type JsonObjectOf<Value> = {
  [
    Key in keyof Value as Key extends string | number
      ? [Extract<Value[Key], Unwritten>] extends [never]
        ? Key
        : never
      : never
  ]: JsonOf<Value[Key]>
} & {
  [
    Key in keyof Value as Key extends string | number
      ? [Extract<Value[Key], Unwritten>] extends [never]
        ? never
        : [Exclude<Value[Key], Unwritten>] extends [never]
          ? never
          : Key
      : never
  ]?: JsonOf<Exclude<Value[Key], Unwritten>>
} extends infer All
  ? { [Key in keyof All]: All[Key] }
  : never
