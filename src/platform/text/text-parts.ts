import { StringDecoder } from 'node:string_decoder'

/** A text that comes as bytes: each part is decoded when it is there, and not all of them at the end. */
export interface TextParts {
  push(bytes: Buffer): void
  /** All of it. Whoever asks takes it: what comes next is another text. */
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
