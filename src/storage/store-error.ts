/** Why a store cannot be used. The code is its identity; the message says what to do. */
export const storeErrorCodes = [
  'toolcrib.store_not_a_database',
  'toolcrib.store_foreign',
  'toolcrib.store_newer',
  'toolcrib.store_full',
  'toolcrib.store_read_only',
  'toolcrib.store_unreachable',
  'toolcrib.store_failed',
  'toolcrib.store_closed',
] as const
export type StoreErrorCode = (typeof storeErrorCodes)[number]

export interface StoreError extends Error {
  code: StoreErrorCode
}

export function storeError(code: StoreErrorCode, message: string, cause?: unknown): StoreError {
  return Object.assign(new Error(message, { cause }), { code })
}

export function isStoreError(error: unknown): error is StoreError {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && (storeErrorCodes as readonly string[]).includes(code)
}
