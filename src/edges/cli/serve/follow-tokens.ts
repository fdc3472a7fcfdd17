import { ownerTokenPath, serveTokenPath } from '../../../credentials/gateway-token.js'
import type { SettingsInForce } from '../../../host/follow-config.js'
import { watchFiles } from '../../../platform/files/watch-files.js'
import type { Identities } from '../../server/identities.js'
import type { ServeAuth } from './serve-auth.js'
import type { ServedGateway } from './served-gateway.js'

/** Admits the tokens of the config and of the data folder as they are now, until the signal is aborted. */
export function followTokens(
  { inForce, watchSettings }: Pick<ServedGateway, 'inForce' | 'watchSettings'>,
  { auth, identities, signal }: { auth: ServeAuth; identities: Identities; signal: AbortSignal },
  report: (problem: string) => void,
): void {
  function admit(now: SettingsInForce): void {
    for (const problem of identities.admit(auth.admitNow(now, report))) report(problem)
  }
  const stop = watchSettings(admit)
  signal.addEventListener('abort', stop, { once: true })
  // The first look is soon: the config may have changed before it was followed here.
  watchFiles([ownerTokenPath(), serveTokenPath()], { onChange: async () => admit(inForce()), signal })
}
