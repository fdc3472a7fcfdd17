import { createInterface } from 'node:readline'
import { isObject } from '../../../platform/json/is-object.js'
import type { Terminal } from '../terminal/terminal.js'

/**
 * Answers each line of stdin with one line of stdout at once, because the writer may wait for it. A string instead of
 * an answer is the problem of that line; the others continue. Returns whether all lines could be answered.
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
    const answered = typeof value === 'string' ? value : answer(value)
    if (typeof answered === 'string') isGood = false
    terminal.printJson(
      typeof answered === 'string'
        ? { error: `Line ${number} ${answered}; it must be an object like ${like}.` }
        : answered,
    )
  }
  return isGood
}

function parseObject(line: string): Record<string, unknown> | string {
  try {
    const value: unknown = JSON.parse(line)
    if (!isObject(value)) return 'is not an object'
    return value as Record<string, unknown>
  } catch {
    return 'is not JSON'
  }
}
