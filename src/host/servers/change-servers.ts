import { existsSync, readFileSync } from 'node:fs'
import type { CribConfig } from '../../platform/config/config-schema.js'
import { replaceFile } from '../../platform/files/replace-file.js'
import { editServersText, type ServersChange } from './edit-servers-text.js'
import { trustChange, trustOf } from '../../platform/trust/config-trust.js'

/**
 * Changes the servers of a config file, which is made where there is none. What a person had trusted before, and what they add,
 * is what they trust after; a file that they had not trusted as it was is not trusted after it either.
 */
export async function changeServers(
  configPath: string,
  change: ServersChange,
  { isPerson }: { isPerson: boolean },
): Promise<void> {
  const isNew = !existsSync(configPath)
  const text = isNew ? '' : readFileSync(configPath, 'utf8')
  const edited = await editServersText(text, configPath, change)
  const isHandedOver =
    isPerson && (isNew || trustOf({ path: configPath, text, config: edited.before as CribConfig }).isTrusted)
  // Entries of servers often hold keys, which are for nobody else.
  replaceFile(configPath, edited.text, { mode: 0o600 })
  if (isHandedOver) trustChange({ path: configPath, text: edited.text, config: edited.after as CribConfig })
}
