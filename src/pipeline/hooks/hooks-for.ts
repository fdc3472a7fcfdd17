import type { HookEvent } from '../../contract/unions.js'
import type { HookDefinition } from '../../hooks/hook.js'
import { compileConditions, compileMatcher } from '../../hooks/match-hook.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { compileNamePatterns } from '../../surfaces/name-pattern.js'
import type { HookedRun } from './hook-ports.js'
import { resolvedNames, wrappedInputs } from '../input/wrapped-inputs.js'

interface Matching {
  /** The tool's name for the hook; undefined if the hook does not match the tool. */
  tool(tool: CatalogTool): string | undefined
  input(input: unknown): boolean
}

const matchings = new WeakMap<HookDefinition, Matching>()

/** The hooks of one event that match this tool, in the order in which they run. */
export function hooksFor({ ports, tool, via }: HookedRun, event: HookEvent): HookDefinition[] {
  return ports.hooks.filter(
    (hook) => hook.event === event && (wantsTool(hook, tool!) || (via !== undefined && wantsTool(hook, via))),
  )
}

/** Whether the hook wants to see a call with this input. */
export function wantsInput(
  hook: HookDefinition,
  input: unknown,
  { tool, via }: Partial<Pick<HookedRun, 'tool' | 'via'>> = {},
): boolean {
  if (hook.when === undefined || matchingOf(hook).input(input)) return true
  if (!via || !wantsTool(hook, via)) return false
  return wrappedInputs(tool!, input).some((wrapped) => matchingOf(hook).input(wrapped))
}

export function wantsTool(hook: HookDefinition, tool: CatalogTool): boolean {
  return matchingOf(hook).tool(tool) !== undefined
}

/** A hook that was written for a coding agent's tool names sees the tool by the name that it matched. */
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
