import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { checkConfig } from '../../platform/config/check-config.js'
import type { CribConfig } from '../../platform/config/schema/config-schema.js'
import { mcpSection } from '../../platform/config/source-sections.js'
import { replaceFile } from '../../platform/files/replace-file.js'
import { editEntriesText, type EntriesEdit } from './edit-entries-text.js'
import { trustChange, trustOf } from '../../platform/trust/config-trust.js'

/** Files that other clients read too. */
const SHARED_FILES = new Set(['.mcp.json', 'mcp.json'])

/**
 * Adds entries of a kind to a config file, which is created if it is missing, or removes them. A change by a person keeps
 * the trust in the file, and trusts a new file. An untrusted file stays untrusted. A file that would be no valid config
 * afterwards is not changed.
 */
export async function changeEntries(
  configPath: string,
  edit: EntriesEdit,
  { isPerson }: { isPerson: boolean },
): Promise<void> {
  if (edit.key !== mcpSection.key && SHARED_FILES.has(basename(configPath)))
    throw new Error(
      `${configPath} belongs to other clients too, which know only MCP servers, so it is not changed: use a toolcrib.yaml.`,
    )
  const isNew = !existsSync(configPath)
  const text = isNew ? '' : readFileSync(configPath, 'utf8')
  const edited = await editEntriesText(text, configPath, edit)
  const [problem] = checkConfig(edited.after)
  if (problem) throw new Error(`${configPath} is not changed, because it would be wrong: ${problem.message}`)
  const isHandedOver =
    isPerson && (isNew || trustOf({ path: configPath, text, config: edited.before as CribConfig }).isTrusted)
  // Entries often contain keys: only the user may read the file.
  replaceFile(configPath, edited.text, { mode: 0o600 })
  if (isHandedOver) trustChange({ path: configPath, text: edited.text, config: edited.after as CribConfig })
}
