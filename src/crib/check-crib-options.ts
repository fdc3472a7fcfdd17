import { checkBreaker, checkLimits } from '../scheduling/limits/check-limit.js'
import { checkOptions, type OptionKind } from '../platform/validation/check-options.js'
import { isStoreConfig } from '../storage/store-config.js'
import { isStore } from '../storage/store.js'
import { checkHook } from '../hooks/check-hook.js'
import { checkReviewers } from '../approvals/reviewers.js'
import { checkRetries } from '../catalog/check-retries.js'
import type { CribOptions } from './crib.js'
import { checkRedactionOptions } from './redaction/check-redaction-options.js'
import { checkResultOptions } from './results/result-options.js'
import { parseSealKey } from '../platform/sealing/user-keys.js'

const CRIB_OPTIONS = {
  tools: 'iterable',
  sources: 'list',
  onSource: 'function',
  onAgent: 'function',
  store: 'any',
  decider: 'function',
  approver: 'function',
  permission: 'object',
  responder: 'function',
  hooks: 'list',
  limits: 'list',
  breaker: 'any',
  clock: 'function',
  random: 'function',
  tenant: 'text',
  actor: 'text',
  workspace: 'text',
  timeoutMs: 'positive',
  retries: 'any',
  results: 'object',
  redaction: 'object',
  search: 'object',
  blobs: 'object',
  maxProgressPerSecond: 'notNegative',
  cancelGraceMs: 'number',
  reviewers: 'list',
  approvals: 'object',
  sealKey: 'any',
  policyRevision: 'function',
  acceptUpdate: 'function',
} as const satisfies Record<keyof CribOptions, OptionKind>

/** Throws a one-sentence error for an invalid option. */
export function checkCribOptions(options: CribOptions): void {
  checkOptions('createCrib', options, CRIB_OPTIONS)
  const { store, hooks, limits, breaker, reviewers, approvals, sealKey, retries, blobs, results, redaction } =
    options
  const isNamed = typeof store === 'string' && store !== ''
  if (store !== undefined && !isNamed && !isStore(store) && !isStoreConfig(store)) {
    throw new TypeError(
      "createCrib: \"store\" must be a store, such as sqliteStore({ path: './crib.db' }) or memoryStore(), or say which one: './crib.db', 'memory' or { kind: 'sqlite', path: './crib.db' }.",
    )
  }
  if (blobs && typeof blobs.create !== 'function') {
    throw new TypeError(
      'createCrib: "blobs" must be a blob store, such as fileBlobs({ path: \'./blobs\' }) or memoryBlobs().',
    )
  }
  if (results) checkResultOptions('createCrib: "results"', results)
  if (options.search) checkOptions('createCrib: "search"', options.search, { sentences: 'boolean' })
  if (redaction) checkRedactionOptions('createCrib: "redaction"', redaction)
  checkRetries('createCrib', retries)
  for (const hook of hooks ?? []) checkHook(hook)
  checkLimits('createCrib: limits', limits ?? [])
  checkBreaker('createCrib: "breaker"', breaker)
  checkReviewers('createCrib', reviewers ?? [])
  if (approvals)
    checkOptions('createCrib: "approvals"', approvals, { expiresMs: 'positive', claim: 'boolean' })
  if (sealKey !== undefined) parseSealKey('createCrib: "sealKey"', sealKey)
}
