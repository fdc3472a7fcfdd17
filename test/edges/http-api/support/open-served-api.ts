import { onTestFinished, vi } from 'vitest'
import { followConfig } from '../../../../src/host/follow-config.js'
import { loadCrib } from '../../../../src/host/load-crib.js'
import { loadTools } from '../../../../src/host/load-settings.js'
import { gatewaySettingsOf } from '../../../../src/host/serving/gateway-settings.js'
import { servedConfig } from '../../../../src/host/serving/served-config.js'
import { openConfiguredSources } from '../../../../src/host/sources/open-configured-sources.js'
import { openTemporaryFolder, type TemporaryFolder } from '../../../temporary-folder.js'
import { trustConfig } from '../../../trust-config.js'
import { openApi, type OpenApi } from './open-api.js'

export interface ServedApi extends OpenApi {
  /** The folder of the config. */
  readonly folder: TemporaryFolder
  readonly configPath: string
}

/** The API of a gateway with this config, which is trusted by default; `prepare` writes the files that it names. */
export async function openServedApi(
  text: string,
  prepare: (folder: TemporaryFolder) => void = () => {},
  { isTrusted = true } = {},
): Promise<ServedApi> {
  const folder = openTemporaryFolder()
  vi.stubEnv('XDG_CONFIG_HOME', folder.file('settings'))
  vi.stubEnv('TOOLCRIB_HOME', folder.file('home'))
  prepare(folder)
  const configPath = folder.write('toolcrib.yaml', text)
  if (isTrusted) trustConfig(configPath)
  const settings = await loadTools({ configPath })
  if (!settings.ok) throw new Error(JSON.stringify(settings.problems))
  const sources = await openConfiguredSources(settings, { mayChange: true })
  const { drafts: tools } = settings
  const crib = await loadCrib({
    settings,
    tools,
    store: { kind: 'memory' },
    outside: {},
    sources,
    followRules: true,
  })
  const closing = new AbortController()
  onTestFinished(async () => {
    closing.abort()
    await sources.close()
    vi.unstubAllEnvs()
  })
  const followed = followConfig({ settings, sources, crib, signal: closing.signal, onChange: () => {} })
  const { surfaces, surfaceNames } = gatewaySettingsOf(settings, { crib, store: undefined })
  const served = servedConfig({ settings, ...followed, crib, sources, surfaceNames })
  const api = await openApi({}, { crib, surfaceRequest: surfaces, served })
  return { ...api, folder, configPath }
}
