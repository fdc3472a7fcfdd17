export interface Styles {
  bold(text: string): string
  dim(text: string): string
  good(text: string): string
  bad(text: string): string
  warn(text: string): string
}

const CODES: Record<keyof Styles, readonly [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  good: [32, 39],
  bad: [31, 39],
  warn: [33, 39],
}

/** Colours, or the bare text where there is no terminal or NO_COLOR is set. */
export function createStyles(isOn: boolean): Styles {
  const style =
    ([on, off]: readonly [number, number]) =>
    (text: string): string =>
      isOn && text !== '' ? `\u001B[${on}m${text}\u001B[${off}m` : text
  return Object.fromEntries(
    Object.entries(CODES).map(([name, code]) => [name, style(code)]),
  ) as unknown as Styles
}

/** https://no-color.org: any value but the empty one. A terminal that calls itself dumb knows no colours either. */
export function wantsColour(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  return isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
}
