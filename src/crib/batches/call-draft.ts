import type { CallDraft } from './batch.js'
import type { Call } from '../calls/call-handle.js'

/** Collects the text of a call's arguments while it is streamed. */
export class Draft implements CallDraft {
  readonly #start: (text: string) => Call
  #text = ''
  #call: Call | undefined = undefined

  constructor(start: (text: string) => Call) {
    this.#start = start
  }

  append(text: string): void {
    if (typeof text !== 'string')
      throw new TypeError('The arguments of a call come as pieces of JSON text; append a text.')
    if (this.#call) throw new TypeError('The arguments of this call are complete; nothing can be added.')
    this.#text += text
  }

  complete(): Call {
    this.#call ??= this.#start(this.#text)
    return this.#call
  }
}
