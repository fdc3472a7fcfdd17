/** Why an operation on an artifact fails. The code identifies the error; the message says what to do. */
export const artifactErrorCodes = [
  'toolcrib.artifact_unknown',
  'toolcrib.artifact_gone',
  'toolcrib.export_refused',
] as const
export type ArtifactErrorCode = (typeof artifactErrorCodes)[number]

export interface ArtifactError extends Error {
  code: ArtifactErrorCode
}

export function artifactError(code: ArtifactErrorCode, message: string, cause?: unknown): ArtifactError {
  return Object.assign(new Error(message, { cause }), { code })
}

export function isArtifactError(error: unknown): error is ArtifactError {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && (artifactErrorCodes as readonly string[]).includes(code)
}
