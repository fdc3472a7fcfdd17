import { existsSync, readFileSync } from 'node:fs'
import { parseConfig } from '../../platform/config/load-config.js'
import type { CribConfig } from '../../platform/config/schema/config-schema.js'
import { realPath } from '../../platform/files/follow-links.js'
import { replaceFile } from '../../platform/files/replace-file.js'
import { sha256 } from '../../platform/json/sha256.js'
import { ownCommand } from '../../platform/text/own-command.js'
import { trustOf, trustTextOnly, TRUSTED, untrustedFiles } from '../../platform/trust/config-trust.js'
import { isRuleText } from '../../policy/files/rule-files.js'
import { serverSettingsOf } from '../../sources/mcp/settings/read-servers.js'
import { recordEvent } from '../../storage/journal/record-event.js'
import type { Store } from '../../storage/store.js'
import type { CribSettings } from '../crib-settings.js'
import { isInsideCall } from '../is-inside-call.js'
import { redactorFor } from '../redactor-for.js'
import { restartKeys } from '../restart-keys.js'
import { validateConfig, type ConfigTextProblem, type ValidatedConfig } from './validate-config.js'

/** The config file of a gateway, as an operator sees it. */
export interface ConfigView {
  readonly path: string
  /** Without secrets. */
  readonly text: string
  /** Of the text in the file. */
  readonly revision: string
  readonly isTrusted: boolean
  /** Absent: it can be edited. */
  readonly whyNotEditable?: string | undefined
}

export type AppliedConfig =
  | {
      readonly outcome: 'applied'
      readonly revision: string
      readonly isTrusted: boolean
      /** Files that the text names and that nobody trusted yet. */
      readonly untrustedFiles: readonly string[]
      /** Changed keys that take effect at the next start. */
      readonly restartKeys: readonly string[]
      readonly warnings: readonly ConfigTextProblem[]
    }
  /** The file is another than the one with the given revision. */
  | { readonly outcome: 'changed'; readonly revision: string }
  | { readonly outcome: 'invalid'; readonly problems: readonly ConfigTextProblem[] }
  | { readonly outcome: 'refused'; readonly message: string }

/** Reads, checks and replaces the config of a running gateway. `followConfig` applies what was written. */
export interface ConfigFile {
  /** Undefined where the gateway has no config file. */
  read(): Promise<ConfigView | undefined>
  validate(text: string): Promise<ValidatedConfig>
  /** Writes the text if the file still has the given revision. */
  apply(text: string, options: { revision: string; by: string }): Promise<AppliedConfig>
}

export function configFile({
  settings,
  store,
  secrets,
  onWritten,
}: {
  settings: Pick<CribSettings, 'configPath' | 'config'>
  store: Store
  /** Secrets that sources of the config have now. */
  secrets(): readonly string[]
  /** Lets the new text take effect. */
  onWritten(): Promise<void>
}): ConfigFile {
  const { configPath: path } = settings

  async function look(file: string): Promise<ConfigView & { raw: string; config: CribConfig | undefined }> {
    const raw = readFileSync(file, 'utf8')
    const parsed = isRuleText(file) ? await parseConfig(raw, file) : undefined
    const config = parsed?.ok ? parsed.config : undefined
    const text = await withoutSecrets(raw, { config, file, secrets: secrets() })
    return {
      path: file,
      raw,
      config,
      text,
      revision: revisionOf(raw),
      isTrusted: trustOf({ path: file, text: raw, config }).isTrusted,
      whyNotEditable: whyNotEditable(file, text !== raw),
    }
  }

  return {
    async read() {
      if (path === undefined || !existsSync(path)) return undefined
      const { raw: _, config: __, ...view } = await look(path)
      return view
    },
    validate: (text) => validateConfig(text, path !== undefined && isRuleText(path) ? path : 'toolcrib.yaml'),
    async apply(text, { revision, by }) {
      if (path === undefined || !existsSync(path))
        return { outcome: 'refused', message: 'This gateway has no config file; start it with one.' }
      const before = await look(path)
      const { whyNotEditable: message } = before
      if (message !== undefined) return { outcome: 'refused', message }
      if (before.revision !== revision) return { outcome: 'changed', revision: before.revision }
      const { config, problems } = await validateConfig(text, path)
      if (!config) return { outcome: 'invalid', problems }
      // Nothing awaits between this check and the write.
      const now = revisionOf(readFileSync(path, 'utf8'))
      if (now !== revision) return { outcome: 'changed', revision: now }
      replaceFile(realPath(path) ?? path, text)
      const written = { path, text, config }
      trustTextOnly(written, before.raw)
      const after = revisionOf(text)
      await recordEvent(store, {
        tenant: settings.config.tenant ?? 'default',
        event: {
          type: 'toolcrib.config.changed',
          at: store.now(),
          data: { path, before: revision, after, by },
        },
      })
      await onWritten()
      return {
        outcome: 'applied',
        revision: after,
        isTrusted: trustOf(written).isTrusted,
        untrustedFiles: untrustedFiles(written),
        restartKeys: restartKeys(config, before.config ?? {}),
        warnings: problems,
      }
    },
  }
}

function whyNotEditable(path: string, hasSecrets: boolean): string | undefined {
  if (isInsideCall())
    return 'A tool started this gateway, so that its config is not changed here; change the file yourself.'
  if (!isRuleText(path)) return 'The config is a program, which is not changed here; edit the file yourself.'
  return hasSecrets
    ? `The config has secrets in it, which are not shown, so that it is not changed here; store them with "${ownCommand('secrets set')}" or take them from variables.`
    : undefined
}

function revisionOf(text: string): string {
  return sha256(text)
}

/**
 * The text as it can be shown. Where a secret is not in it letter by letter, for example in an escaped text, the value
 * of the config is shown instead.
 */
async function withoutSecrets(
  raw: string,
  { config, file, secrets }: { config: CribConfig | undefined; file: string; secrets: readonly string[] },
): Promise<string> {
  const inEntries = config
    ? serverSettingsOf({ configPath: file, config, trust: TRUSTED }, process.env).secrets
    : []
  const redactor = redactorFor(config ?? {}, [...secrets, ...inEntries])
  const text = redactor.text(raw)
  if (config === undefined) return text
  const shown = await parseConfig(text, file)
  const left = shown.ok ? shown.config : undefined
  if (left !== undefined && redactor.value(left) === left) return text
  const { stringify } = await import('yaml')
  return stringify(redactor.value(config))
}
