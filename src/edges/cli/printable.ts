// Everything that could steer a terminal or turn the direction of text; a tool's words are not to be trusted with it.
// eslint-disable-next-line no-control-regex
const STEERING = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200E\u200F\u2028-\u202E\u2066-\u2069]/g

const escape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Text as it may be shown: control characters are spelled out, lines and tabs stay. */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(STEERING, escape)
}

/** The same in one line. */
export function oneLine(text: string): string {
  return printable(text.trim().replaceAll(/\s+/g, ' '))
}

/** JSON that is safe on a terminal and still the same JSON. */
export function printableJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null'
  return text.replaceAll(STEERING, escape)
}
