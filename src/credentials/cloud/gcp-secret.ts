import type { SecretSettings } from '../credential-settings.js'
import type { SecretContext, SecretSource } from '../secrets/secret-source.js'
import { cloudSecret } from './cloud-secret.js'
import { loadPackage } from './load-package.js'

const PACKAGE = '@google-cloud/secret-manager'

interface Library {
  SecretManagerServiceClient: new (options: object) => {
    accessSecretVersion(
      request: { name: string },
      options: { timeout: number },
    ): Promise<[{ payload?: { data?: Uint8Array | string | null } | null }]>
    close(): Promise<void>
  }
}

type Settings = Extract<SecretSettings, { source: 'gcp_secret_manager' }>

const TIMEOUT_MS = 15_000

/** A secret of Google Secret Manager, read with the identity of this process (application default credentials). */
export function gcpSecret(
  { project, secret, version = 'latest' }: Settings,
  context: SecretContext,
): SecretSource {
  const name = `projects/${project}/secrets/${secret}/versions/${version}`
  return cloudSecret(
    {
      store: 'Google Secret Manager',
      packages: [PACKAGE],
      async read() {
        const library = await loadPackage<Library>(PACKAGE, context.owner)
        // Over HTTP instead of gRPC: one request needs no channel.
        const client = new library.SecretManagerServiceClient({ fallback: true, ...emulator(context.env) })
        try {
          const [{ payload }] = await client.accessSecretVersion({ name }, { timeout: TIMEOUT_MS })
          const data = payload?.data
          return typeof data === 'string' ? data : data ? Buffer.from(data).toString('utf8') : undefined
        } finally {
          await client.close()
        }
      },
    },
    context,
  )
}

/** Google's libraries take the address of an emulator from such variables; this library has none of its own. */
function emulator({ SECRET_MANAGER_EMULATOR_HOST: host }: NodeJS.ProcessEnv): object {
  if (!host || !URL.canParse(`http://${host}`)) return {}
  const { hostname, port } = new URL(`http://${host}`)
  return { apiEndpoint: hostname, port: Number(port || 80), protocol: 'http' }
}
