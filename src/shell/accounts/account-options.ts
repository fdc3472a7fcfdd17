import { valueOf, type Arg } from '../detection/arg.js'
import { letterOption } from '../effects/grammar.js'

const lists = new Map<string, readonly string[]>()
const sets = new Map<string, ReadonlySet<string>>()

/** The tables write options as one text; each is parsed once. */
function namesOf(options: string): readonly string[] {
  let names = lists.get(options)
  if (names === undefined) lists.set(options, (names = options.split(' ')))
  return names
}

function setOf(options: string): ReadonlySet<string> {
  let names = sets.get(options)
  if (names === undefined) sets.set(options, (names = new Set(namesOf(options))))
  return names
}

/** Whether one of these options may be among the words: among joined letters, abbreviated, or with its value attached. */
export function hasOption(args: readonly Arg[], options: string): boolean {
  const names = namesOf(options)
  return args.some((arg) => {
    const value = valueOf(arg)
    if (!value.startsWith('-')) return false
    const [name = ''] = value.split('=')
    return names.some((option) => {
      if (option.startsWith('--')) return name.length > 2 && option.startsWith(name)
      if (option.length > 2) return value === option || value === `-${option}`
      return !value.startsWith('--') && value.includes(option[1]!)
    })
  })
}

/** Whether every option among the words is one of these; `-t=` takes a value. */
export function areKnown(args: readonly Arg[], options: string): boolean {
  const names = setOf(options)
  for (const arg of args) {
    const value = valueOf(arg)
    if (value === '--') return true
    if (!value.startsWith('-') || value === '-') continue
    if (value.startsWith('--')) {
      const [name = ''] = value.split('=')
      if (!names.has(name) && !names.has(`${name}=`)) return false
    } else if (!areLetters(value, names)) return false
  }
  return true
}

function areLetters(value: string, names: ReadonlySet<string>): boolean {
  for (let at = 1; at < value.length; at++) {
    const option = letterOption(value.charCodeAt(at))
    if (names.has(`${option}=`)) return true
    if (!names.has(option)) return false
  }
  return true
}

/** The first word that is not an option or possibly the value of one; `flags` take no value. */
export function firstWord(args: readonly Arg[], flags: string): number {
  for (let at = 0; at < args.length; at++) {
    const value = valueOf(args[at]!)
    if (value === '--') return at + 1
    if (!value.startsWith('-')) return at
    const isFlag = value.includes('=') || isRow(value, flags)
    if (!isFlag) return -1
  }
  return -1
}

/** `-in`: joined letters, all of them flags. */
function isRow(value: string, flags: string): boolean {
  for (let at = 1; at < value.length; at++) if (!flags.includes(value[at]!)) return false
  return true
}
