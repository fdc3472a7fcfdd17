const MAX_CHARS = 160

/** How a description begins: enough to choose by. */
export function firstSentence(text: string): string {
  const line = text.trimStart().split('\n', 1)[0]!.trim()
  const end = /[.!?](?=\s|$)/.exec(line)
  const sentence = end ? line.slice(0, end.index + 1) : line
  return sentence.length <= MAX_CHARS ? sentence : `${sentence.slice(0, MAX_CHARS - 1)}…`
}
