interface Part {
  readonly text: string
  readonly isCommand: boolean
}

/** The commands in a sentence: what stands in quotes or backticks and starts with `toolcrib`, `npm` or `npx`. */
export function splitCommands(sentence: string): readonly Part[] {
  const parts: Part[] = []
  let end = 0
  for (const match of sentence.matchAll(/["'`]((?:toolcrib|npm|npx)\s[^"'`]+)["'`]/g)) {
    if (match.index > end) parts.push({ text: sentence.slice(end, match.index), isCommand: false })
    parts.push({ text: match[1] ?? '', isCommand: true })
    end = match.index + match[0].length
  }
  if (end < sentence.length || parts.length === 0) parts.push({ text: sentence.slice(end), isCommand: false })
  return parts
}
