import type { ShellReading } from '../../shell/shell-reading.js'

/** Toolcrib commands that answer approvals or change rules. They are for people, and so is a `call` that approves itself. */
const FOR_PEOPLE = new Set(['approvals', 'rules', 'trust', 'import', 'mode', 'waive', 'hooks'])

/** Options that may precede the command's name and take a value. */
const TAKE_VALUE = new Set(['--config', '--store'])

/** Options of `call` that would approve it: an answer in advance, or rules and a mode of its own. */
const LETS_THROUGH = /^(?:--(?:yes|allow|mode|rules)(?:=|$)|-[a-z]*y)/

/** A sentence if a command would answer an approval or change a rule, also inside wrappers. */
export function findOwnCommand({ commands }: ShellReading): string | undefined {
  for (const { words } of commands) {
    const at = words.findIndex((word) => /(?:^|[/\\])toolcrib(?:\.js|\.cmd)?(?:@[\w.^~-]+)?$/.test(word))
    const asked = at === -1 ? undefined : commandIn(words.slice(at + 1))
    const approvesItself = asked === 'call' && words.some((word) => LETS_THROUGH.test(word))
    if (asked === undefined || (!FOR_PEOPLE.has(asked) && !approvesItself)) continue
    return `"toolcrib ${asked}" is for the person at the terminal: a tool call cannot approve itself or change rules.`
  }
  return undefined
}

function commandIn(words: readonly string[]): string | undefined {
  return words.find((word, index) => !word.startsWith('-') && !TAKE_VALUE.has(words[index - 1] ?? ''))
}
