import { existsSync, readFileSync } from 'node:fs'
import { replaceFile } from '../../platform/files/replace-file.js'
import type { RuleUpdate } from '../rules/rule-update.js'
import { editRuleText } from './edit-rule-file.js'
import type { CribConfig } from '../../platform/config/schema/config-schema.js'
import { handsOverTrust } from './hands-over-trust.js'
import type { RuleFile } from './rule-files.js'
import { trustChange } from '../../platform/trust/config-trust.js'

/** Changes a rule file. The user's own change keeps the trust in the file, and adds none. */
export async function changeRuleFile(
  file: RuleFile,
  update: RuleUpdate,
  { isPerson }: { isPerson: boolean },
): Promise<void> {
  const { path, isProject } = file
  const before = textOf(path)
  const isHandedOver = isProject && isPerson && (await handsOverTrust(path, before ?? '', file))
  const text = await editRuleText(before ?? '', path, update)
  if (textOf(path) !== before) {
    throw new Error(`${path} was changed by another process meanwhile, so it was not written: try again.`)
  }
  replaceFile(path, text, { mode: 0o644 })
  if (isHandedOver) trustChange({ path, text, config: await configIn(file, text) })
}

/** A separate rule file names nothing that runs. */
async function configIn({ source, path }: RuleFile, text: string): Promise<CribConfig | undefined> {
  if (source !== 'project_settings') return undefined
  const { parseConfigText } = await import('../../platform/config/parse-config-text.js')
  return (await parseConfigText(text, path)).value as CribConfig | undefined
}

function textOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
