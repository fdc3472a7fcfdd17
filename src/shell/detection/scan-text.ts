import { escapeWildcards } from './arg.js'
import { hostIn } from './host-in.js'
import type { Trace } from './trace.js'

const MAX_WORDS = 2000
const MAX_COMMANDS = 64

/**
 * The names in a text that cannot be parsed: every word may be a path that is read, and one that looks like a path may
 * be written. The lists are far too long, so that a rule about a path or a command still applies.
 */
export function scanText(text: string, trace: Trace): void {
  const words = text.split(/[\s;|&<>(){}'"`=,\\]+/, MAX_WORDS)
  for (const word of words) {
    if (word === '' || word.startsWith('-')) continue
    if (word.includes('://') || /^[\w.-]+@[\w.-]+/.test(word)) {
      if (hostIn(word) !== undefined) trace.host(word)
      continue
    }
    const path = word.includes('$') ? word.replaceAll(/\$\w*/g, '**') : word
    const arg =
      path === word
        ? escapeWildcards(word)
        : { written: word, value: word, path, isKnown: false, isLiteral: false }
    trace.read(arg)
    if (/[./~]/.test(word)) trace.write(arg)
  }
  listCrudely(text, trace)
}

/** Any text between two separators may be a command. */
function listCrudely(text: string, trace: Trace): void {
  for (const part of text.split(/[\n\r;|&(){}`]+/, MAX_COMMANDS)) {
    const words = part
      .replaceAll(/["'\\]|\p{C}/gu, '')
      .split(/\s+/)
      .filter(Boolean)
    if (words.length === 0) continue
    const text = words.join(' ')
    trace.list({
      text,
      words,
      isLiteral: false,
      isReadOnly: false,
      wrappedBy: trace.by,
      isTransparent: false,
    })
  }
}
