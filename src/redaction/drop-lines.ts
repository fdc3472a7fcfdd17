import type { Redactor } from './redactor.js'

/** Replaces a line that was dropped. */
export const DROPPED = '[redacted:dropped]'

const WITH_MARK = /^.*\[redacted:dropped\].*$/gm

/** Removes every line in which a secret was found. The redactor puts `DROPPED` where it finds one. */
export function dropLines(redactor: Redactor): Redactor {
  return {
    text(text, also, tally) {
      const clean = redactor.text(text, also, tally)
      return clean === text ? text : drop(clean)
    },
    value(value, also, tally) {
      const clean = redactor.value(value, also, tally)
      return clean === value ? value : mapTexts(clean, drop)
    },
    prepare: (text, also) => redactor.prepare(text, also),
    stream(also, tally) {
      const stream = redactor.stream(also, tally)
      let open = ''
      return {
        push(text) {
          const held = open + stream.push(text)
          const end = held.lastIndexOf('\n') + 1
          open = held.slice(end)
          return drop(held.slice(0, end))
        },
        end() {
          const last = drop(open + stream.end())
          open = ''
          return last
        },
      }
    },
  }
}

function drop(text: string): string {
  return text.includes(DROPPED) ? text.replace(WITH_MARK, DROPPED) : text
}

/** The value with each of its texts replaced; keys stay. */
function mapTexts<Value>(value: Value, map: (text: string) => string): Value {
  return walk(value, map) as Value
}

function walk(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => walk(item, map))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, walk(member, map)]))
}
