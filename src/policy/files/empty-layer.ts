import type { LoadedRules } from './loaded-rules.js'
import { ruleBase, type RuleFile } from './rule-files.js'

/** A source without rules yet, and the file to which they could be added. */
export function emptyLayer(file: RuleFile): LoadedRules {
  const { source, path } = file
  const set = { rules: [], mode: undefined, workingDirectories: [], problems: [] }
  return { source, path, base: ruleBase(file), set, problems: [], isTrusted: true, untrusted: [] }
}
