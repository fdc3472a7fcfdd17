import { checkOptions, type OptionKind } from '../../platform/validation/check-options.js'

/** Which records are deleted, by whom and why. At least one of `before`, `session` and `actor` is needed. */
export interface DeleteRecordsOptions {
  /** Calls that began before this time; a Date or milliseconds. */
  before?: Date | number
  session?: string
  actor?: string
  /** Default: the tenant of the crib. */
  tenant?: string
  /** The records of all tenants of the store, instead of one. */
  allTenants?: boolean
  /** Who deletes them: stays in what is left of each call. */
  by: string
  reason?: string
  /** Only counts. */
  dryRun?: boolean
  /** Stops between two groups of calls; groups that are deleted stay deleted. */
  signal?: AbortSignal
}

export interface DeletedRecords {
  /** Of all calls that were deleted together; absent where nothing was. */
  readonly deletionId?: string
  /** Calls. With `dryRun`: those that would be deleted. */
  readonly deleted: number
  /** Calls that match and have not ended: they stay. */
  readonly skippedOpen: number
  /** Surfaces that no call refers to any more. */
  readonly surfaces: number
  /** Stored bytes that were removed at once. Bytes that were stored in the last minutes are removed by a later sweep. */
  readonly bytes: number
}

/** Which envelopes are deleted, by whom and why: what stays of calls whose records were deleted. */
export interface DeleteEnvelopesOptions extends Pick<
  DeleteRecordsOptions,
  'tenant' | 'allTenants' | 'by' | 'reason' | 'dryRun' | 'signal'
> {
  /** Envelopes of calls that were deleted before this time; a Date or milliseconds. */
  before: Date | number
}

export interface DeletedEnvelopes {
  /** Of all envelopes that were deleted together; absent where none was. */
  readonly deletionId?: string
  /** With `dryRun`: those that would be deleted. */
  readonly deleted: number
}

const KINDS = {
  before: 'any',
  session: 'text',
  actor: 'text',
  tenant: 'text',
  allTenants: 'boolean',
  by: 'text',
  reason: 'text',
  dryRun: 'boolean',
  signal: 'any',
} as const satisfies Record<keyof DeleteRecordsOptions, OptionKind>

const { session: _session, actor: _actor, ...ENVELOPE_KINDS } = KINDS

/** Throws one sentence where the options do not say what to delete. */
export function checkDeleteOptions(options: DeleteRecordsOptions): void {
  const where = 'crib.deleteRecords'
  checkOptions(where, options, KINDS)
  const { before, session, actor } = options
  if (before === undefined && session === undefined && actor === undefined)
    throw new TypeError(
      `${where} needs a "before", a "session" or an "actor": it does not delete everything.`,
    )
  checkDeletion(where, options)
}

/** The same for envelopes. */
export function checkEnvelopeOptions(options: DeleteEnvelopesOptions): void {
  const where = 'crib.deleteEnvelopes'
  checkOptions(where, options, ENVELOPE_KINDS)
  if (options.before === undefined)
    throw new TypeError(`${where} needs a "before": it does not delete everything.`)
  checkDeletion(where, options)
}

function checkDeletion(
  where: string,
  { before, tenant, allTenants, by }: Partial<DeleteEnvelopesOptions>,
): void {
  if (before !== undefined && Number.isNaN(toMs(before)))
    throw new TypeError(`${where}: "before" must be a Date or milliseconds, not ${String(before)}.`)
  if (typeof by !== 'string' || by === '') throw new TypeError(`${where} needs a "by": who deletes them.`)
  if (tenant !== undefined && allTenants)
    throw new TypeError(`${where} takes either a "tenant" or "allTenants", not both.`)
}

export function toMs(time: Date | number): number {
  return time instanceof Date || typeof time === 'number' ? Number(time) : Number.NaN
}
