import { isSecretValue } from './judge-value.js'
import type { NoteSecret } from '../secret-span.js'

const LIST_END = /[^()\n]{0,400}\)\s*VALUES\s*\(/iy
const LIST_START = /INSERT\s+INTO\s[^()]{1,160}\(([^()]{0,400})$/i
const VALUE = /\s*(?:'((?:[^'\n]|''){0,512})'|"([^"\n]{0,512})"|[^,'"()\n]{0,64})\s*(,|\))/y
const LONGEST_HEAD = 600

/** `INSERT INTO users (name, password) VALUES ('ada', '…')`: the value in the place of the column. `at` is in its name. */
export function readInserted(text: string, at: number, note: NoteSecret): void {
  LIST_END.lastIndex = at
  if (!LIST_END.test(text)) return
  const columns = LIST_START.exec(text.slice(Math.max(0, at - LONGEST_HEAD), at))?.[1]
  if (columns === undefined) return
  let left = columns.split(',').length
  for (VALUE.lastIndex = LIST_END.lastIndex; left > 0; left--) {
    const found = VALUE.exec(text)
    if (found === null) return
    if (left === 1) return noteValue(found, VALUE.lastIndex, text, note)
    if (found[3] === ')') return
  }
}

function noteValue(found: RegExpExecArray, end: number, text: string, note: NoteSecret): void {
  const value = found[1] ?? found[2]
  if (value === undefined || !isSecretValue(value, 'password', 'quoted')) return
  const start = text.indexOf(value, found.index)
  if (start + value.length <= end) note(start, start + value.length, 'password_assignment')
}
