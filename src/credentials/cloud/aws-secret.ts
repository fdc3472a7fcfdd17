import type { SecretSettings } from '../credential-settings.js'
import type { SecretContext, SecretSource } from '../secrets/secret-source.js'
import { awsOptions, regionOfArn } from './aws-options.js'
import { cloudSecret } from './cloud-secret.js'
import { loadPackage } from './load-package.js'

const PACKAGE = '@aws-sdk/client-secrets-manager'

interface Library {
  SecretsManagerClient: new (options: object) => {
    send(
      command: object,
      options: { abortSignal: AbortSignal },
    ): Promise<{ SecretString?: string; SecretBinary?: Uint8Array }>
    destroy(): void
  }
  GetSecretValueCommand: new (input: { SecretId: string }) => object
}

type Settings = Extract<SecretSettings, { source: 'aws_secrets_manager' }>

/** A secret of AWS Secrets Manager, read with the identity of this process. */
export function awsSecret({ secret_id, region }: Settings, context: SecretContext): SecretSource {
  return cloudSecret(
    {
      store: 'AWS Secrets Manager',
      packages: [PACKAGE],
      async read(abortSignal) {
        const library = await loadPackage<Library>(PACKAGE, context.owner)
        const client = new library.SecretsManagerClient(awsOptions(region ?? regionOfArn(secret_id)))
        try {
          const command = new library.GetSecretValueCommand({ SecretId: secret_id })
          const { SecretString, SecretBinary } = await client.send(command, { abortSignal })
          return SecretString ?? (SecretBinary && Buffer.from(SecretBinary).toString('utf8'))
        } finally {
          client.destroy()
        }
      },
    },
    context,
  )
}
