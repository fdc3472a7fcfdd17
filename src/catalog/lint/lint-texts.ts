import { findHidden } from './find-hidden.js'
import { findInstructions } from './find-instructions.js'
import type { LintFinding } from './finding.js'
import { placedTexts } from './tool-texts.js'
import { writeOut } from './write-out.js'

/** Checks other texts of a server for a model: its instructions, prompts and resources. `id` is the server's. */
export function lintTexts(id: string, said: Readonly<Record<string, unknown>>): LintFinding[] {
  const findings: LintFinding[] = []
  for (const { place, text } of Object.entries(said).flatMap(([place, value]) => placedTexts(value, place))) {
    if (findings.length >= MAX_FINDINGS) break
    const about = { toolId: id, place: writeOut(place) }
    const hidden = findHidden(text)
    if (hidden !== undefined)
      findings.push({
        ...about,
        rule: 'hidden_characters',
        severity: 'error',
        message: `It hides ${hidden} here: "${writeOut(text)}".`,
      })
    // A server's instructions are orders by nature, but not about everything.
    const order = findInstructions(text)
    if (order)
      findings.push({
        ...about,
        rule: 'instructions',
        severity: 'warning',
        message: `It ${order.what}: "${writeOut(order.quote)}".`,
      })
  }
  return findings
}

/** Limits the report for a server with many findings. */
const MAX_FINDINGS = 10
