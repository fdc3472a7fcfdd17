import type { Readable } from 'node:stream'
import type { ToolOutput } from '../../catalog/tool-output.js'

/**
 * The type of a result's `structured_content`, by the return type of the executor: the value as JSON. Text, nothing,
 * bytes and streams have none; they are in `content`. For `toolOutput(…)` the type is unknown.
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

/** Checked in both directions: an object that happens to have a `summary` is no ToolOutput. */
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

/** What JSON omits from an object. */
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
