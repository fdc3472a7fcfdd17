import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { HookNotes } from './hook-state.js'
import { cleanText } from '../secrets/clean.js'
import type { HookedRun } from './hook-ports.js'
import { contextOf } from './context-of.js'

/** A hook that decides nothing failed: the call goes on, and its result says so. */
export function noteHookProblem(run: HookedRun, problem: string): void {
  const { context, problems } = run.hookNotes ?? NONE
  run.hookNotes = { context, problems: [...problems, cleanText(problem, run)] }
}

export function noteHookContext(run: HookedRun, added: string | readonly string[]): void {
  const { context, problems } = run.hookNotes ?? NONE
  run.hookNotes = { context: [...context, ...contextOf(added, run)], problems }
}

const NONE: HookNotes = { context: [], problems: [] }

export function withHookNotes(result: ToolResult, { context, problems }: HookNotes): ToolResult {
  const before = (result.toolcrib?.['additional_context'] ?? []) as string[]
  const toolcrib: Record<string, unknown> = { ...result.toolcrib }
  if (context.length > 0) toolcrib['additional_context'] = Object.freeze([...before, ...context])
  if (problems.length > 0) toolcrib['hook_problem'] = problems.join(' ')
  return { ...result, toolcrib }
}
