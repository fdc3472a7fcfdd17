import { tailOf, valueOf, type Arg } from './arg.js'
import type { Trace } from './trace.js'

/** Applies what `export A=1` and similar builtins set. */
export function assignFrom(arg: Arg, trace: Trace): void {
  const text = valueOf(arg)
  const at = text.indexOf('=')
  if (at < 1) return
  trace.set(text.slice(0, text[at - 1] === '+' ? at - 1 : at), [tailOf(arg, at + 1)])
}
