import { existsSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { replaceFile } from '../foundation/files/replace-file.js'
import { parseJsonText, rawJson, setMember } from '../foundation/json/edit-json-text.js'
import type { CribConfig } from '../foundation/config/config-schema.js'
import { trustChange, trustOf } from './trust/config-trust.js'

type Servers = Readonly<Record<string, object>>

/**
 * Adds servers to a config file, which is made where there is none; comments and everything else in it stay as they
 * were. What a person had trusted before, and what they add, is what they trust after.
 */
export async function addServers(
  configPath: string,
  servers: Servers,
  { isPerson }: { isPerson: boolean },
): Promise<void> {
  const isNew = !existsSync(configPath)
  const before = isNew ? '' : readFileSync(configPath, 'utf8')
  const { text, config } =
    extname(configPath) === '.json'
      ? inJson(configPath, before, servers)
      : await inYaml(configPath, before, servers)
  const isHandedOver =
    isPerson && (isNew || trustOf({ path: configPath, text: before, config: config.before }).isTrusted)
  // Entries of servers often hold keys, which are for nobody else.
  replaceFile(configPath, text, { mode: 0o600 })
  if (isHandedOver) trustChange({ path: configPath, text, config: config.after })
}

interface Added {
  text: string
  config: { before: CribConfig; after: CribConfig }
}

async function inYaml(path: string, before: string, servers: Servers): Promise<Added> {
  const yaml = await import('yaml')
  const document = yaml.parseDocument(before)
  if (document.errors.length > 0) throw unreadable(path)
  const config = (document.toJS() ?? {}) as CribConfig
  for (const [name, entry] of Object.entries(servers))
    document.setIn(['mcpServers', name], document.createNode(entry))
  const text = document.toString({ lineWidth: 0 })
  return { text, config: { before: config, after: document.toJS() as CribConfig } }
}

function inJson(path: string, before: string, servers: Servers): Added {
  const config = before.trim() === '' ? {} : parseJsonText(before)
  if (config === undefined) throw unreadable(path)
  let text = before
  for (const [name, entry] of Object.entries(servers)) {
    const place = ['mcpServers', name]
    text = setMember(text, place, rawJson(entry, text, place))
  }
  return { text, config: { before: config, after: parseJsonText(text) as CribConfig } }
}

const unreadable = (path: string): Error =>
  new Error(`${path} cannot be read, so it is not changed: mend it first.`)
