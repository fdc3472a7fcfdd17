import picocolors from 'picocolors'

export interface Styles {
  bold(text: string): string
  dim(text: string): string
  good(text: string): string
  bad(text: string): string
  warn(text: string): string
}

/** Colours, or the bare text where there is no terminal or NO_COLOR is set. */
export function createStyles(isOn: boolean): Styles {
  const { bold, dim, green, red, yellow } = picocolors.createColors(isOn)
  return { bold, dim, good: green, bad: red, warn: yellow }
}

/** https://no-color.org: any value but the empty one. A terminal of type dumb has no colours either. */
export function wantsColour(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  return isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
}
