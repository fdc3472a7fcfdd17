import { agentRules } from './rules/agent-rules.js'
import { fileRules } from './rules/file-rules.js'
import { interfaceRules } from './rules/interface-rules.js'
import { lockRules } from './rules/lock-rules.js'
import { toolRules } from './rules/tool-rules.js'
import { transportRules } from './rules/transport-rules.js'

/** Every problem that a file can have, by its code. */
export const rules = {
  ...fileRules,
  ...toolRules,
  ...interfaceRules,
  ...transportRules,
  ...agentRules,
  ...lockRules,
} as const

/** The rules by what they are about, as `docs/tool-file-problems.md` lists them. */
export const ruleGroups = {
  'Files and YAML': fileRules,
  'Fields of tool files': toolRules,
  'Input and output': interfaceRules,
  'Transport, credentials, SQL and Avro': transportRules,
  'Agent files': agentRules,
  'The lock file': lockRules,
} as const

export type RuleCode = keyof typeof rules
