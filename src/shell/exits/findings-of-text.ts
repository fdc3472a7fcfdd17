import { parseCommand } from '../parse/parse-command.js'
import type { ExitContext } from './exit-place.js'
import { failed, type Finding } from './finding.js'
import { findingsOfStatements } from './findings-of-node.js'
import { findingsOfWords } from './findings-of-words.js'
import { surveyScript } from './survey-script.js'

const MAX_DEPTH = 4

/** The codes of a shell that could not expand a word. */
const BREAKS = new Set([1, 2, 127])

/** What the code means if it comes from a shell that was given this text. */
export function findingsOfText(text: string, place: ExitContext): readonly Finding[] {
  const parsed = parseCommand(text)
  if (!parsed.ok || place.depth > MAX_DEPTH) return failed('the command', 'the command cannot be read')
  if (parsed.words !== undefined) return findingsOfWords(parsed.words, place)
  const survey = surveyScript(parsed.script!)
  if (survey.problem !== undefined) return failed('the script', survey.problem)
  const nounset = place.nounset || survey.nounset
  const mayBreak = survey.mayBreak || (nounset && survey.hasVariables)
  if (mayBreak && BREAKS.has(place.code) && !(place.isHeard && !survey.hasMovedStderr))
    return failed('the shell', 'a word may not have been expanded, and stderr is not known to be empty')
  return findingsOfStatements(parsed.script!.commands, {
    ...place,
    pipefail: place.pipefail || survey.pipefail,
    errexit: place.errexit || survey.errexit,
    nounset,
  })
}
