import { parseCommand } from '../parse/parse-command.js'
import type { ExitContext } from './exit-context.js'
import { failed, type Finding } from './finding.js'
import { findingsOfStatements } from './findings-of-node.js'
import { findingsOfWords } from './findings-of-words.js'
import { surveyScript } from './survey-script.js'

const MAX_DEPTH = 4

/** The codes of a shell that could not expand a word. */
const BREAKS = new Set([1, 2, 127])

/** The meaning of the code if it comes from a shell that runs this text. */
export function findingsOfText(text: string, context: ExitContext): readonly Finding[] {
  const parsed = parseCommand(text)
  if (!parsed.ok || context.depth > MAX_DEPTH) return failed('the command', 'the command cannot be read')
  if (parsed.words !== undefined) return findingsOfWords(parsed.words, context)
  const survey = surveyScript(parsed.script!)
  if (survey.problem !== undefined) return failed('the script', survey.problem)
  const nounset = context.nounset || survey.nounset
  const mayBreak = survey.mayBreak || (nounset && survey.hasVariables)
  if (mayBreak && BREAKS.has(context.code) && !(context.isSilent && !survey.hasMovedStderr))
    return failed('the shell', 'a word may not have been expanded, and stderr is not known to be empty')
  return findingsOfStatements(parsed.script!.commands, {
    ...context,
    pipefail: context.pipefail || survey.pipefail,
    errexit: context.errexit || survey.errexit,
    nounset,
  })
}
