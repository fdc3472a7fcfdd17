import type { ShellReading } from '../../shell/shell-reading.js'

/** Our own commands that answer questions or change rules. Those are for people, as is a `call` that lets itself through. */
const FOR_PEOPLE = new Set(['approvals', 'rules', 'trust', 'import', 'mode', 'waive', 'hooks'])

/** Options that may stand before the command's name and are followed by a value. */
const TAKE_VALUE = new Set(['--config', '--store'])

/** Options of `call` by which it would be let through: an answer beforehand, or rules and a mode of one's own. */
const LETS_THROUGH = /^(?:--(?:yes|allow|mode|rules)(?:=|$)|-[a-z]*y)/

/** A sentence when a command would answer an approval or change a rule, whatever it is wrapped in. */
export function findOwnCommand({ commands }: ShellReading): string | undefined {
  for (const { words } of commands) {
    const at = words.findIndex((word) => /(?:^|[/\\])toolcrib(?:\.js|\.cmd)?(?:@[\w.^~-]+)?$/.test(word))
    const asked = at === -1 ? undefined : commandIn(words.slice(at + 1))
    const approvesItself = asked === 'call' && words.some((word) => LETS_THROUGH.test(word))
    if (asked === undefined || (!FOR_PEOPLE.has(asked) && !approvesItself)) continue
    return `"toolcrib ${asked}" is for the person at the counter: whoever asks cannot answer.`
  }
  return undefined
}

function commandIn(words: readonly string[]): string | undefined {
  return words.find((word, index) => !word.startsWith('-') && !TAKE_VALUE.has(words[index - 1] ?? ''))
}
