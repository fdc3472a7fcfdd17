import { readFileSync } from 'node:fs'
import { filesOf, trustAsRead } from '../../dist/platform/trust/config-trust.js'

/** Trusts a config in JSON and what it names, as a person does who says yes to `toolcrib trust`. */
export function trustConfig(path, env) {
  const text = readFileSync(path, 'utf8')
  const read = { path, text, config: JSON.parse(text) }
  trustAsRead(read, filesOf(read).files, env)
}
