import { existsSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { replaceFile } from '../foundation/files/replace-file.js'
import type { CribConfig } from '../foundation/config/config-schema.js'
import { trustChange, trustOf } from './trust/config-trust.js'

/**
 * Adds servers to a config file, which is made where there is none; comments and everything else in it stay as they
 * were. What a person had trusted before, and what they add, is what they trust after.
 */
export async function addServers(
  configPath: string,
  servers: Readonly<Record<string, object>>,
  { isPerson }: { isPerson: boolean },
): Promise<void> {
  const yaml = await import('yaml')
  const isNew = !existsSync(configPath)
  const before = isNew ? '' : readFileSync(configPath, 'utf8')
  const document = yaml.parseDocument(before)
  if (document.errors.length > 0)
    throw new Error(`${configPath} cannot be read, so it is not changed: mend it first.`)
  const config = document.toJS() as CribConfig
  const isHandedOver = isPerson && (isNew || trustOf({ path: configPath, text: before, config }).isTrusted)
  for (const [name, entry] of Object.entries(servers))
    document.setIn(['mcpServers', name], document.createNode(entry))
  const text =
    extname(configPath) === '.json'
      ? `${JSON.stringify(document.toJS(), null, 2)}\n`
      : document.toString({ lineWidth: 0 })
  // Entries of servers often hold keys, which are for nobody else.
  replaceFile(configPath, text, { mode: 0o600 })
  if (isHandedOver) trustChange({ path: configPath, text, config: document.toJS() as CribConfig })
}
