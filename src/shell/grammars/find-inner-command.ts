import type { Argument } from '../parse/argument.js'

/** The shape of a command that only runs another one: its options, and how many operands come before the other's name. */
export interface WrapperShape {
  readonly flags: string
  readonly values: string
  readonly operand?: RegExp
}

/** Where the inner command begins, or why that is unknown. */
export type InnerCommand = number | string

/** Finds the command that a wrapper of this shape runs, after the wrapper's own words. */
export function innerCommandOf(shape: WrapperShape) {
  const flags = new Set(shape.flags.split(' '))
  const values = new Set(shape.values.split(' '))
  return (args: readonly Argument[], from: number): InnerCommand => {
    let index = from
    for (; index < args.length; index++) {
      const arg = args[index]!
      if (typeof arg !== 'string') return `${String(args[0])}: it is not known what it would run.`
      if (!arg.startsWith('-')) break
      if (flags.has(arg)) continue
      const isSeparate = values.has(arg)
      const value = isSeparate ? args[index + 1] : arg.slice(arg.startsWith('--') ? arg.indexOf('=') + 1 : 2)
      const name = isSeparate ? arg : arg.startsWith('--') ? arg.slice(0, arg.indexOf('=')) : arg.slice(0, 2)
      if (!values.has(name) || typeof value !== 'string' || !/^[\w.:+-]+$/.test(value))
        return `${String(args[0])}: with the option ${arg} it is not known to only read.`
      if (isSeparate) index += 1
    }
    if (shape.operand !== undefined) {
      const operand = args[index]
      if (typeof operand !== 'string' || !shape.operand.test(operand))
        return `${String(args[0])} is given words in an order that is not known.`
      index += 1
    }
    return index < args.length ? index : `${String(args[0])} is given no command to run.`
  }
}

const xargsFlags = new Set(
  `-0 --null -r --no-run-if-empty -t --verbose -x --exit -i --replace -e --eof -l --max-lines`.split(' '),
)
const xargsValues = new Set(
  `-n --max-args -L -P --max-procs -s --max-chars -d --delimiter -E -a --arg-file -I -R -S`.split(' '),
)

export interface XargsInner {
  readonly at: number
  /** The placeholder for its input; empty if there is none. */
  readonly placeholder: string
  /** It may append its input, also with a placeholder: which of two options wins depends on the version. */
  readonly isAdding: boolean
}

/** The same for `xargs`. */
export function innerOfXargs(args: readonly Argument[], from: number): XargsInner | string {
  let placeholder = ''
  let isCounting = false
  let index = from
  for (; index < args.length; index++) {
    const arg = args[index]!
    if (typeof arg !== 'string') return 'xargs: it is not known what it would run.'
    if (!arg.startsWith('-')) break
    if (arg === '--') {
      index += 1
      break
    }
    if (/^(?:-[nLl]|--max-(?:args|lines))/.test(arg)) isCounting = true
    if (arg === '-i' || arg === '--replace') placeholder = '{}'
    if (xargsFlags.has(arg) || /^-[0rtx]+$/.test(arg) || /^-[nLPs][0-9]+$/.test(arg)) continue
    if (/^--(?:max-args|max-procs|max-chars|max-lines|eof|delimiter|arg-file)=./.test(arg)) continue
    if (/^-[dE]./.test(arg)) continue
    if (/^(?:-I|--replace=)./.test(arg)) {
      placeholder = arg.slice(arg.startsWith('-I') ? 2 : '--replace='.length)
      continue
    }
    const value = args[index + 1]
    if (!xargsValues.has(arg) || typeof value !== 'string' || value.startsWith('-'))
      return `xargs: with the option ${arg} it is not known to only read.`
    if (arg === '-I' && value === '') return 'xargs: the option -I has an empty value.'
    if (arg === '-I') placeholder = value
    index += 1
  }
  if (index >= args.length) return 'xargs is given no command to run.'
  return { at: index, placeholder, isAdding: placeholder === '' || isCounting }
}
