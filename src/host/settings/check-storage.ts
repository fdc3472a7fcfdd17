import type { ConfigFinding, ConfigPath } from '../../platform/config/check-config.js'
import type { CribConfig } from '../../platform/config/schema/config-schema.js'
import { resolveS3Settings } from '../../storage/blobs/s3/s3-settings.js'
import { checkRedactionOptions } from '../../crib/redaction/check-redaction-options.js'

/** Problems of redaction and blobs whose single values are valid. */
export function keepingFindings({ redaction, blobs, surface }: CribConfig): ConfigFinding[] {
  const findings: ConfigFinding[] = []
  if (redaction) find(findings, ['redaction', 'way'], () => checkRedactionOptions('"redaction"', redaction))
  if (surface?.redaction === 'protect')
    find(findings, ['surface', 'redaction'], () =>
      checkRedactionOptions('"redaction"', { ...redaction, way: 'protect' }),
    )
  if (blobs?.kind === 's3') {
    const { bucket, endpoint, region, prefix } = blobs
    // Keys are in the environment: this file cannot be wrong about them.
    const keys = { accessKeyId: 'any', secretAccessKey: 'any' }
    const place = endpoint !== undefined && bucket !== undefined ? ['blobs', 'endpoint'] : ['blobs']
    find(findings, place, () =>
      resolveS3Settings({ bucket: bucket ?? '', endpoint, region, prefix, ...keys }, {}),
    )
  }
  return findings
}

function find(findings: ConfigFinding[], path: ConfigPath, check: () => unknown): void {
  try {
    check()
  } catch (error) {
    // The message is a sentence; here it follows the name of a file.
    findings.push({
      path,
      message: (error as Error).message.replace(/^S3 blobs:/, '"blobs" of the kind s3:').replace(/\.$/, ''),
    })
  }
}
