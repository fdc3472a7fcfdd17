import { createInterface } from 'node:readline'
import type { Terminal } from '../terminal/terminal.js'

/**
 * Answers each line of stdin with one line of stdout, as soon as the line is there: whoever writes may wait for it.
 * A text instead of an answer says what the line lacks; the others go on. Returns whether all lines could be answered.
 */
export async function eachJsonLine(
  terminal: Terminal,
  { like, answer }: { like: string; answer: (value: Record<string, unknown>) => object | string },
): Promise<boolean> {
  if (process.stdin.isTTY) terminal.say('Type one JSON object per line; Ctrl-D ends.')
  const lines = createInterface({ input: process.stdin, crlfDelay: Infinity })
  terminal.unread.addEventListener('abort', () => lines.close())
  let isGood = true
  let number = 0
  for await (const line of lines) {
    number++
    const value = parseObject(line)
    const said = typeof value === 'string' ? value : answer(value)
    if (typeof said === 'string') isGood = false
    terminal.printJson(
      typeof said === 'string'
        ? { error: `Line ${number} ${said}; it must be an object like ${like}.` }
        : said,
    )
  }
  return isGood
}

function parseObject(line: string): Record<string, unknown> | string {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is not an object'
    return value as Record<string, unknown>
  } catch {
    return 'is not JSON'
  }
}
