import { StringDecoder } from 'node:string_decoder'

/** A text that arrives as bytes: each part is decoded when it arrives, not all of them at the end. */
export interface TextParts {
  push(bytes: Buffer): void
  /** The whole text so far. It is removed by this: the next part begins another text. */
  take(): string
}

export function createTextParts(): TextParts {
  const decoder = new StringDecoder('utf8')
  let parts: string[] = []
  return {
    push(bytes) {
      parts.push(decoder.write(bytes))
    },
    take() {
      const last = decoder.end()
      const text = last === '' && parts.length === 1 ? parts[0]! : parts.join('') + last
      parts = []
      return text
    },
  }
}
