import { ownCommand, shellWord } from '../../platform/text/own-command.js'
import { credentialProblem, missingCredential } from '../credential-problem.js'
import { rememberSecret } from './remember-secret.js'
import type { SecretContext, SecretSource } from './secret-source.js'
import { secretStore } from './secret-store.js'

/** One of a person's own secrets. A changed one counts at once: its file says when it was set. */
export function storedSecret(
  { name }: { readonly name: string },
  { env, owner, now }: SecretContext,
): SecretSource {
  const store = secretStore(env)
  // Asking the keyring starts a process, and may ask a person to unlock it.
  const fromKeyring = rememberSecret({ now, load: () => store.load(name) })
  const missing: SecretSource['missing'] = () =>
    store.find(name)
      ? undefined
      : missingCredential(owner, `run ${ownCommand(`secrets set ${shellWord(name)}`)}`)
  return {
    missing,
    async load({ isRefused }) {
      const found = store.find(name)
      const value =
        found?.keptIn === 'keyring'
          ? await fromKeyring({ isRefused, version: found.setAt })
          : await store.load(name)
      if (value === undefined) throw credentialProblem(missing() ?? missingCredential(owner, 'set it again'))
      return value
    },
  }
}
