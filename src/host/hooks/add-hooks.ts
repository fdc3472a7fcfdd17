import { existsSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { CribConfig } from '../../platform/config/schema/config-schema.js'
import { replaceFile } from '../../platform/files/replace-file.js'
import type { HookEntry } from './load-hooks.js'
import { trustChange } from '../../platform/trust/config-trust.js'
import { handsOverTrust } from '../../policy/files/hands-over-trust.js'

/**
 * Adds hooks to a config file; comments and everything else in it stay. A change by a person keeps the trust in the
 * file.
 */
export async function addHooks(
  configPath: string,
  hooks: readonly HookEntry[],
  { isPerson }: { isPerson: boolean },
): Promise<void> {
  const yaml = await import('yaml')
  const before = existsSync(configPath) ? readFileSync(configPath, 'utf8') : ''
  const document = yaml.parseDocument(before)
  if (document.errors.length > 0) {
    throw new Error(`${configPath} cannot be read, so it is not changed: mend it first.`)
  }
  if (yaml.isSeq(document.get('hooks')))
    for (const hook of hooks) document.addIn(['hooks'], document.createNode(hook))
  else document.set('hooks', document.createNode(hooks))
  const text =
    extname(configPath) === '.json'
      ? `${JSON.stringify(document.toJS(), null, 2)}\n`
      : document.toString({ lineWidth: 0, flowCollectionPadding: /[[{] /.test(before) })
  const isHandedOver = isPerson && (await handsOverTrust(configPath, before))
  replaceFile(configPath, text, { mode: 0o644 })
  if (isHandedOver) trustChange({ path: configPath, text, config: document.toJS() as CribConfig })
}
