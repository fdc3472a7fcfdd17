import { mapTexts } from './map-texts.js'
import type { Redactor } from './redactor.js'

/** Stands in the place of a line that is gone. */
export const DROPPED = '[redacted:dropped]'

const WITH_MARK = /^.*\[redacted:dropped\].*$/gm

/** Where a secret was found nothing of its line is left. The redactor puts `DROPPED` in the place of what it finds. */
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
