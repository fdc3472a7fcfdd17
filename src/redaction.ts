export {
  createRedactor,
  type Redactor,
  type RedactorOptions,
  type Tally,
} from './foundation/redaction/redactor.js'
export type { RedactingStream } from './foundation/redaction/redact-stream.js'
export { createLiveSecrets, type LiveSecrets } from './foundation/redaction/live-secrets.js'
export { findSecrets } from './foundation/redaction/find-secrets.js'
export type { FoundSecret } from './foundation/redaction/secret-span.js'
export { piiClasses, type PiiClass } from './foundation/config/pii-classes.js'
export { secretsOfEnvironment } from './foundation/redaction/secrets-of-environment.js'
