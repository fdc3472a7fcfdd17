import type { NativeFacts } from '../../../catalog/native.js'
import { readCloudError } from '../../../credentials/cloud/cloud-error.js'
import { isCredentialProblem } from '../../../credentials/credential-problem.js'
import { credentialFailure, failure } from '../../http/to-failure.js'

/** What a failed request to a service of a cloud was about, for messages. */
export interface CloudRequest {
  /** `Amazon SQS` */
  readonly service: string
  readonly toolId: string
  /** What the identity needs a permission for: `send to the queue`. */
  readonly act: string
  /** The field of the tool file that names what was called. */
  readonly field: string
  readonly isReadOnly: boolean
  readonly native: NativeFacts
  /** Whether an earlier request of the same call was carried out. */
  readonly hasRun?: boolean | undefined
}

/** The failure of a request that a service of a cloud did not carry out. */
export function cloudFailure(error: unknown, request: CloudRequest): Error {
  if (isCredentialProblem(error)) return credentialFailure(error)
  const { service, toolId, act, field, isReadOnly } = request
  const { kind, reason, status, ...read } = readCloudError(error)
  const mayHaveRun = read.mayHaveRun || request.hasRun === true
  const facts = {
    nothingHappened: !mayHaveRun,
    ...(status !== 0 && { status }),
    native: { ...request.native, code: reason, ...(status !== 0 && { status }) },
  }
  switch (kind) {
    case 'refused':
      return failure(
        `${service} does not accept the credential of "${toolId}" (${reason}); correct its secret, or the identity of this process.`,
        { errorClass: 'credential_missing', code: 'toolcrib.credential_missing', ...facts },
      )
    case 'denied':
      return failure(
        `${service} does not permit "${toolId}" to ${act} (${reason}); grant this permission to the identity of the tool.`,
        { errorClass: 'setup_required', code: 'toolcrib.setup_required', ...facts },
      )
    case 'absent':
      return failure(
        `${service} does not know the "${field}" of "${toolId}" (${reason}); correct the tool file.`,
        {
          errorClass: 'setup_required',
          code: 'toolcrib.setup_required',
          ...facts,
        },
      )
    case 'throttled':
      return failure(`${service} received too many requests (${reason}); call "${toolId}" again later.`, {
        errorClass: 'rate_limited',
        code: 'toolcrib.rate_limited',
        ...facts,
      })
    case 'outage':
      return failure(
        `${service} gave no answer to "${toolId}" (${reason}); the call ${mayHaveRun ? 'may have run' : 'has not run'}.`,
        {
          errorClass: mayHaveRun && !isReadOnly ? 'execution_failed' : 'dependency_unavailable',
          code: mayHaveRun ? 'toolcrib.server_lost' : 'toolcrib.server_unavailable',
          ...facts,
        },
      )
    case 'invalid':
    case 'unknown':
      return failure(`${service} refused the call of "${toolId}" (${reason}).`, {
        errorClass: 'execution_failed',
        code: 'toolcrib.server_refused',
        ...(kind === 'invalid' && { needsOtherArguments: true }),
        ...facts,
      })
  }
}
