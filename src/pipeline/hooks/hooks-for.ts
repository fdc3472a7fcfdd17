import type { HookEvent } from '../../contract/unions.js'
import type { HookDefinition } from '../../hooks/hook.js'
import { compileConditions, compileMatcher } from '../../hooks/match-hook.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { compileNamePatterns } from '../../surfaces/name-pattern.js'
import type { CallRun } from '../call-run.js'
import { resolvedNames, wrappedInputs } from '../input/wrapped-inputs.js'

interface Matching {
  /** The name to show to the hook; nothing where it does not speak of the tool. */
  tool(tool: CatalogTool): string | undefined
  input(input: unknown): boolean
}

const matchings = new WeakMap<HookDefinition, Matching>()

/** The hooks of one event that speak about this tool, in the order in which they run. */
export function hooksFor({ ports, tool, via }: CallRun, event: HookEvent): HookDefinition[] {
  return ports.hooks.filter(
    (hook) => hook.event === event && (wantsTool(hook, tool!) || (via !== undefined && wantsTool(hook, via))),
  )
}

/** Whether the hook wants to see a call with this input. */
export function wantsInput(
  hook: HookDefinition,
  input: unknown,
  { tool, via }: Partial<Pick<CallRun, 'tool' | 'via'>> = {},
): boolean {
  if (hook.when === undefined || matchingOf(hook).input(input)) return true
  if (!via || !wantsTool(hook, via)) return false
  return wrappedInputs(tool!, input).some((wrapped) => matchingOf(hook).input(wrapped))
}

export function wantsTool(hook: HookDefinition, tool: CatalogTool): boolean {
  return matchingOf(hook).tool(tool) !== undefined
}

/** A hook written for a coding agent's names sees the tool by the name that it asked for. */
export function shownName(hook: HookDefinition, tool: CatalogTool): string {
  return matchingOf(hook).tool(tool) ?? tool.qualifiedName
}

function matchingOf(hook: HookDefinition): Matching {
  let matching = matchings.get(hook)
  if (!matching) matchings.set(hook, (matching = compile(hook)))
  return matching
}

function compile({ tools, matcher, when }: HookDefinition): Matching {
  const input = when === undefined ? () => true : compileConditions(when)
  if (matcher !== undefined) {
    const find = compileMatcher(matcher)
    return { tool: (tool) => find(resolvedNames(tool)), input }
  }
  const matches = tools ? compileNamePatterns(tools) : () => true
  return { tool: (tool) => (matches(tool) ? tool.qualifiedName : undefined), input }
}
