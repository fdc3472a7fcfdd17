// What the permission layer says of a shell command under some rules, without a crib around it.
import { gatherTouched } from '../../dist/policy/commands/gather-touched.js'
import { createRuleBook, judge } from '../../dist/policy/judge.js'
import { knownFacts, knownTool } from '../../dist/policy/rules/known-tools.js'
import { readRules } from '../../dist/policy/rules/read-rules.js'
import { cleanFolders } from './clean-context.mjs'

const HOME = '/home'

/** A judge of commands that run in `cwd` by bash: `(command) => 'allow' | 'ask' | 'deny'`. */
export function commandJudge(rules, { cwd = '/play/ground', mode = 'default' } = {}) {
  const place = { workspace: cwd, home: HOME, followLinks: (path) => path, folders: cleanFolders }
  const read = readRules(rules, { source: 'session', base: cwd }, place)
  if (read.problems.length > 0) throw new Error(JSON.stringify(read.problems))
  const book = createRuleBook({
    rules: read.rules,
    home: HOME,
    protectedPaths: { own: [] },
    workingDirectories: [],
    now: 0,
  })
  const known = knownTool('Bash')
  return (command) => {
    const input = { command }
    const touched = gatherTouched(known.tool, input, place)
    const facts = knownFacts(known, touched)
    return judge(book, { tool: known.tool, input, touched, facts, workspace: cwd, mode }).behavior
  }
}
