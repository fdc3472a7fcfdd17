import type { Assignment, Redirection, Word } from 'unbash'
import { isKnown, type Arg } from './arg.js'
import { expandBody, expandWhole, pushWord } from './expand-word.js'
import type { Trace } from './trace.js'

interface Noting {
  readonly trace: Trace
  /** The command prints nothing: the target of its output is empty afterwards. */
  readonly isEmptying: boolean
}

export function noteRedirects(redirects: readonly Redirection[], noting: Noting): void {
  for (const redirect of redirects) noteRedirect(redirect, noting)
}

/** Files that the shell itself opens before the command starts. */
export function noteRedirect(redirect: Redirection | Assignment, { trace, isEmptying }: Noting): void {
  switch (redirect.type) {
    case 'Assignment':
      return
    case 'HereString':
      if (redirect.target) expandWhole(redirect.target, trace)
      return
    case 'HereDoc':
      if (!redirect.delimiter?.quoted && redirect.body.parts) expandBody(redirect.body.parts, trace)
      return
    case 'Redirect':
      for (const target of targets(redirect.target, trace))
        open(redirect.operator, target, { trace, isEmptying })
  }
}

function targets(word: Word | undefined, trace: Trace): Arg[] {
  const args: Arg[] = []
  if (word) pushWord(word, trace, args)
  return args
}

function open(operator: string, target: Arg, { trace, isEmptying }: Noting): void {
  switch (operator) {
    case '<':
      if (!isKnown(target)) trace.hidesTarget = true
      return trace.read(target)
    case '<&':
      return
    case '>&':
      // `2>&1` and `2>&-` only duplicate or close open files.
      if (typeof target === 'string' && /^(?:\d+-?|-)$/.test(target)) return
      break
    case '<>':
      trace.read(target)
      break
    default:
  }
  trace.redirect(target)
  if (operator === '>>' || operator === '&>>' || operator === '<>') trace.write(target)
  else if (isEmptying) trace.remove(target)
  else trace.replace(target)
}
