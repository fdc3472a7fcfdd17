import { existsSync, readFileSync } from 'node:fs'
import { replaceFile } from '../foundation/files/replace-file.js'
import type { RuleUpdate } from '../judgement/policy/rule-update.js'
import { editRuleText } from './edit-rule-file.js'
import { rulesInText } from './load-rules.js'
import type { RuleFile } from './rule-files.js'
import { trustFileText } from './trust.js'

/** Changes a rule file. What a person had trusted before, and nothing else, is what they trust after their own change. */
export async function changeRuleFile(
  file: RuleFile,
  update: RuleUpdate,
  { isPerson }: { isPerson: boolean },
): Promise<void> {
  const { path, isProject } = file
  const before = textOf(path)
  const loaded = before === undefined ? undefined : await rulesInText(before, file)
  const text = await editRuleText(before ?? '', path, update)
  if (textOf(path) !== before) {
    throw new Error(`${path} was changed by somebody else meanwhile, so it is left as it is: try again.`)
  }
  replaceFile(path, text, { mode: 0o644 })
  // A file that never asked for trust hands nothing over with the change.
  const hadNothingToTrust = loaded === undefined || loaded.untrusted.length === 0
  if (isProject && isPerson && hadNothingToTrust) trustFileText(path, text)
}

function textOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
