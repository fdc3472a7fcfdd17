import type { CallAnswer } from './code-messages.js'

/** The part of its memory that one answer may take: the code also holds the parsed value. */
const ANSWER_SHARE = 0.2

/** An answer as JSON; one that the memory of the code cannot hold is an error. */
export function answerText(answer: CallAnswer, memoryMb: number): string {
  const text = JSON.stringify(answer)
  if (text.length <= memoryMb * 1024 * 1024 * ANSWER_SHARE) return text
  const message = `The result has ${Math.ceil(text.length / 1024 / 1024)} MB, which is too much for the ${memoryMb} MB of the code; ask for less, or read it in pages with result.read.`
  return JSON.stringify({ error: { message, error_class: 'result_too_large' } } satisfies CallAnswer)
}
