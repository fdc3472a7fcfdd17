import { lazyKeys } from '../../approvals/lazy-keys.js'
import type { Store } from '../../storage/store.js'
import { actorOf } from '../actor-of.js'
import type { CribSettings } from '../crib-settings.js'
import { surfaceProblem } from '../serving/admission.js'
import { openNamedTokens, type NamedTokens } from './named-tokens.js'

/** The named tokens of the store of a config. */
export function openConfiguredTokens(settings: CribSettings, store: Store): Promise<NamedTokens> {
  return openNamedTokens({
    store,
    keys: lazyKeys(store, undefined),
    tenant: settings.config.tenant ?? 'default',
    owner: actorOf(settings),
    surfaceProblem: (draft) => surfaceProblem(settings, draft),
  })
}
