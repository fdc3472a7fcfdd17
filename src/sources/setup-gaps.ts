import { setupProblemOf } from '../catalog/setup-problem-of.js'
import type { ToolDraft } from '../catalog/tool-draft.js'
import type { SetupGap } from './source.js'

/** What the tools themselves say they lack. A changed tool is reported as such. */
export function setupGaps(drafts: readonly ToolDraft[]): SetupGap[] {
  const counts = new Map<string, number>()
  for (const { availability } of drafts) {
    const problem = setupProblemOf(availability)
    if (!problem || problem.code === 'toolcrib.tool_changed') continue
    counts.set(problem.message, (counts.get(problem.message) ?? 0) + 1)
  }
  return [...counts].map(([message, tools]) => ({ tools, message }))
}
