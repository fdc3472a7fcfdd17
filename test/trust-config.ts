import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { CribConfig } from '../src/platform/config/schema/config-schema.js'
import { fromMcpJson } from '../src/platform/config/from-mcp-json.js'
import { filesOf, trustAsRead } from '../src/platform/trust/config-trust.js'
import { isProgram } from '../src/platform/trust/named-files.js'

/** Trusts a config and what it names, as a person does who says yes to `toolcrib trust`. */
export function trustConfig(path: string, env: NodeJS.ProcessEnv = process.env): void {
  const text = readFileSync(path, 'utf8')
  const read = { path, text, config: isProgram(path) ? undefined : configIn(text) }
  trustAsRead(read, filesOf(read).files, env)
}

/** A text that cannot be read names nothing. */
function configIn(text: string): CribConfig | undefined {
  try {
    return (fromMcpJson(parse(text)) ?? {}) as CribConfig
  } catch {
    return undefined
  }
}
