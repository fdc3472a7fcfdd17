export interface Styles {
  bold(text: string): string
  dim(text: string): string
  good(text: string): string
  bad(text: string): string
  warn(text: string): string
}

/** Colours, or the bare text where there is no terminal or NO_COLOR is set. */
export function createStyles(isOn: boolean): Styles {
  const styled =
    (on: number, off: number) =>
    (text: string): string => {
      if (!isOn) return text
      const [open, close] = [`\x1b[${on}m`, `\x1b[${off}m`]
      // Another style that ends within the text would end this one as well.
      return `${open}${text.replaceAll(close, close + open)}${close}`
    }
  return {
    bold: styled(1, 22),
    dim: styled(2, 22),
    good: styled(32, 39),
    bad: styled(31, 39),
    warn: styled(33, 39),
  }
}

/** https://no-color.org: any value but the empty one. A terminal of type dumb has no colours either. */
export function wantsColour(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  return isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
}
