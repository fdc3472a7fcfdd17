import { valueOf, type Arg } from '../detection/arg.js'
import type { Judged } from './account.js'

const NO: Judged = { isAccounted: false }
const YES: Judged = { isAccounted: true }

/** Verbs that print names, numbers and messages, but never the content of a file. */
const NAMES_ONLY = new Set(
  (
    'status branch tag remote rev-parse ls-files ls-tree describe rev-list merge-base show-ref for-each-ref name-rev ' +
    'symbolic-ref count-objects version check-ignore check-attr show-branch cherry ls-remote'
  ).split(' '),
)

const SETTINGS = ['.git/config', '~/.gitconfig', '~/.config/git/**', '/etc/gitconfig']

/** Verbs that print content unless an option says otherwise. */
const DIFFS = new Set(['diff', 'diff-tree', 'diff-index', 'diff-files'])
const LOGS = new Set(['log', 'shortlog', 'reflog', 'stash', 'whatchanged'])
const OBJECTS = new Set(['show', 'cat-file'])

// Options of a log that never print content. Only these: others are abbreviated, or print a patch.
const LOG_OPTION =
  /^(?:-\d+|-n\d*|-s|-i|-E|-F|--(?:oneline|graph|all|decorate|no-decorate|stat|shortstat|numstat|name-only|name-status|summary|no-patch|abbrev-commit|no-abbrev-commit|merges|no-merges|reverse|first-parent|follow|branches|tags|remotes|topo-order|date-order|no-color|color|numbered|email|no-pager)|--(?:decorate|stat|format|pretty|date|since|until|after|before|author|committer|grep|max-count|skip|abbrev|color|diff-filter|branches|tags)=.*)$/
const STAT_OPTION =
  /^--(?:stat|shortstat|numstat|name-only|name-status|summary|dirstat|quiet|compact-summary)(?:=.*)?$/
const DIFF_OPTION =
  /^(?:--cached|--staged|-M|-C|-w|-b|--no-color|--color|--no-renames|--diff-filter=.*|-r|--root)$/

// One file of one commit or of the index: `HEAD:a`, `:a`, `:0:a`.
const ONE_FILE = /^(?:[\w.~^@{}/-]*|:[0-3]):((?:\.{0,2}\/)?[\w.-][\w./-]*)$/

/** The files that git prints, from the working tree or from history. */
export function accountGit(words: readonly Arg[]): Judged {
  const values = words.map(valueOf)
  let at = 1
  let isElsewhere = false
  while (at < values.length && values[at]!.startsWith('-')) {
    if (values[at] === '-C') {
      isElsewhere = true
      at++
    } else if (
      !/^(?:--no-pager|-P|--version|--help|--no-optional-locks|--literal-pathspecs)$/.test(values[at]!)
    )
      return NO
    at++
  }
  const verb = values[at]
  if (verb === undefined) return YES
  const rest = values.slice(at + 1)
  if (NAMES_ONLY.has(verb)) return YES
  if (verb === 'config') return { isAccounted: true, kept: SETTINGS }
  if (LOGS.has(verb)) return accountLog(verb, rest)
  // Which files are meant depends on the folder.
  if (isElsewhere && !rest.some((each) => STAT_OPTION.test(each))) return NO
  if (DIFFS.has(verb)) return accountDiff(rest)
  return OBJECTS.has(verb) ? accountObjects(verb, rest) : NO
}

function accountLog(verb: string, rest: readonly string[]): Judged {
  if (verb === 'stash') return rest.length === 1 && rest[0] === 'list' ? YES : NO
  const options = optionsIn(rest)
  return options.every((each) => LOG_OPTION.test(each)) ? YES : NO
}

function accountDiff(rest: readonly string[]): Judged {
  const options = optionsIn(rest)
  if (!options.every((each) => STAT_OPTION.test(each) || DIFF_OPTION.test(each))) return NO
  return options.some((each) => STAT_OPTION.test(each)) ? YES : onlyBelow(rest)
}

/** With paths behind `--` only those are printed. A path with a special meaning may be the whole tree. */
function onlyBelow(rest: readonly string[]): Judged {
  const dashes = rest.indexOf('--')
  const folders = dashes === -1 ? [] : rest.slice(dashes + 1)
  if (folders.length === 0 || folders.some((path) => /^:|[*?[\\]/.test(path))) return NO
  return { isAccounted: true, folders }
}

function accountObjects(verb: string, rest: readonly string[]): Judged {
  const known = verb === 'show' ? /^$/ : /^-[pst]$|^blob$/
  const objects = rest.filter((each) => !known.test(each))
  const paths = objects.map((each) => ONE_FILE.exec(each)?.[1])
  if (objects.length === 0 || paths.includes(undefined)) return NO
  // Relative to the top of the tree, which is here or above.
  return { isAccounted: true, kept: paths.map((path) => path!) }
}

function optionsIn(rest: readonly string[]): readonly string[] {
  const dashes = rest.indexOf('--')
  return (dashes === -1 ? rest : rest.slice(0, dashes)).filter((each) => each.startsWith('-'))
}
