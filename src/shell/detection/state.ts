import type { Function as FunctionNode } from 'unbash'
import { UNKNOWN, type Arg } from './arg.js'
import { ANYWHERE, type PathBase } from './resolve-path.js'
import type { Trace } from './trace.js'

/** The state that one command leaves for the next. Its parts are immutable and only replaced. */
export interface State {
  readonly folders: readonly PathBase[]
  readonly variables: ReadonlyMap<string, readonly Arg[]>
  readonly functions: ReadonlyMap<string, FunctionNode>
  readonly positionals: readonly Arg[] | undefined
}

export function stateOf({ folders, variables, functions, positionals }: Trace): State {
  return { folders, variables, functions, positionals }
}

export function restore(state: State, trace: Trace): void {
  trace.folders = state.folders
  trace.variables = state.variables
  trace.functions = state.functions
  trace.positionals = state.positionals
}

/** Either of two states: a branch that was or was not taken. */
export function mergeInto(trace: Trace, other: State): void {
  if (trace.folders !== other.folders) trace.moveTo(eitherFolder(other.folders, trace.folders))
  if (trace.variables !== other.variables) trace.variables = eitherValues(other.variables, trace.variables)
  if (trace.functions !== other.functions) trace.functions = new Map([...other.functions, ...trace.functions])
}

export function eitherFolder(left: readonly PathBase[], right: readonly PathBase[]): readonly PathBase[] {
  const more = right.filter(({ cwd }) => !left.some((each) => each.cwd === cwd))
  return more.length === 0 ? left : [...left, ...more]
}

const MAX_VALUES = 16

function eitherValues(left: State['variables'], right: State['variables']): State['variables'] {
  const merged = new Map<string, readonly Arg[]>()
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    const [one, other] = [left.get(name), right.get(name)]
    // If it is not set, the environment may have set it.
    const either = one === other ? one! : [...new Set([...(one ?? [UNKNOWN]), ...(other ?? [UNKNOWN])])]
    merged.set(name, either.length > MAX_VALUES ? [UNKNOWN] : either)
  }
  return merged
}

/** After a loop without a visible end, variables that still change are unknown. */
export function forgetChanges(trace: Trace, before: State): void {
  if (trace.folders.some(({ cwd }) => !before.folders.some((each) => each.cwd === cwd)))
    trace.folders = [...before.folders, { cwd: ANYWHERE, home: trace.home }]
  for (const [name, values] of trace.variables) {
    const known = before.variables.get(name)
    if (known !== values && !values.every((value) => known?.includes(value)))
      trace.set(name, [...(known ?? []), UNKNOWN])
  }
}
