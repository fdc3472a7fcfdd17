// Everything that could control a terminal, change the text direction or hide in the text; the output of a tool is not
// trusted with it. One variation selector, or a joiner, is part of many emojis; several in a row carry something else.
export const STEERING =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B\u200C\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E007F}]|(?<!\p{Extended_Pictographic}\uFE0F?|[\u{1F3FB}-\u{1F3FF}])\u200D|(?<=[\uFE00-\uFE0F\u{E0100}-\u{E01EF}])[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/gu

const escape = (char: string): string =>
  Array.from(
    { length: char.length },
    (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')

/** Nothing in it steers a terminal. The search for what does takes several times as long. */
const PLAIN = /^[\t\n -~·–→…⊘✓✗]*$/

/** Text that is safe to show: control characters are escaped, lines and tabs stay. */
export function printable(text: string): string {
  if (PLAIN.test(text)) return text
  return text.replaceAll('\r\n', '\n').replaceAll(STEERING, escape)
}

// eslint-disable-next-line no-control-regex
const COLOUR = /(\u001B\[[\d;]*m)/

/** The same for lines that are styled already: colours stay, all other control sequences are escaped. */
export function printableStyled(text: string): string {
  if (PLAIN.test(text)) return text
  return text
    .split(COLOUR)
    .map((part, at) => (at % 2 === 1 ? part : printable(part)))
    .join('')
}

/** Words of plain characters: nothing in them needs to be changed. */
const PLAIN_LINE = /^[!-~]+(?: [!-~]+)*$/

/** The same in one line. */
export function oneLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text
  return printable(text.trim().replaceAll(/\s+/g, ' '))
}

/** JSON that is safe on a terminal and still the same JSON. */
export function printableJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null'
  return text.replaceAll(STEERING, escape)
}
