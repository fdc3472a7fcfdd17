import { nearestWord } from '../../platform/config/nearest-word.js'
import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import { approvalStatuses, type ApprovalStatus } from '../../contract/unions.js'
import { checkOptions, type OptionKind } from '../../platform/validation/check-options.js'
import { examine, isRefusal, type KeptApproval } from '../../approvals/kept-approval.js'
import { walkApprovals, readApproval, waitingFor } from './approval-documents.js'
import type { ApprovalsParts } from './approvals-parts.js'
import { withDelivery } from './deliveries/delivery-documents.js'
import type { ApprovalsQuery, CribApprovals } from './crib-approvals.js'

const PAGE = 200

const QUERY = {
  status: 'any',
  session: 'text',
  queue: 'text',
  tenant: 'text',
} as const satisfies Record<keyof ApprovalsQuery, OptionKind>

/** Reads approvals. An approval that was not signed with the key is not shown, because no decision may rest on it. */
export function createApprovalQueries(
  parts: ApprovalsParts,
  published: () => Promise<void>,
): Pick<CribApprovals, 'list' | 'get' | 'countWaiting'> {
  const { store, tenant: home } = parts

  function isGenuine(kept: KeptApproval, place: { tenant: string; id: string }): boolean {
    const examined = examine(parts.keys(), kept, place)
    return !isRefusal(examined) || examined.code === 'toolcrib.approval_other_key'
  }

  /** Found through the waiting calls, because there may be many more answered approvals. */
  async function* pending(tenant: string, session: string | undefined): AsyncGenerator<ToolcribApproval> {
    let cursor: string | undefined
    do {
      const page = await store.listCalls({
        tenant,
        session,
        status: ['awaiting_approval'],
        limit: PAGE,
        cursor,
      })
      for (const { invocationId } of page.rows) {
        const id = waitingFor(await store.readStream(tenant, invocationId))?.approvalId
        const found = id === undefined ? undefined : await readApproval(store, tenant, id)
        if (found && isGenuine(found.kept, { tenant, id: id! }) && found.kept.approval.status === 'pending')
          yield found.kept.approval
      }
      cursor = page.cursor
    } while (cursor !== undefined)
  }

  return {
    async list(query = {}) {
      checkOptions('crib.approvals.list', query, QUERY)
      const { status, session, tenant = home } = query
      const statuses =
        status === undefined ? approvalStatuses : typeof status === 'string' ? [status] : status
      checkStatuses(statuses)
      await published()
      const found: ToolcribApproval[] = []
      if (statuses.length === 1 && statuses[0] === 'pending') {
        for await (const approval of pending(tenant, session)) found.push(approval)
      } else {
        for await (const kept of walkApprovals(store, tenant)) {
          const { approval } = kept
          if (!isGenuine(kept, { tenant, id: approval?.approval_id })) continue
          if (session !== undefined && approval.session !== session) continue
          if (statuses.includes(approval.status)) found.push(approval)
        }
      }
      const shown = query.queue === undefined ? found : found.filter(({ queue }) => queue === query.queue)
      const whole = await Promise.all(shown.map((approval) => withDelivery(store, approval)))
      return whole.toSorted((a, b) =>
        a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0,
      )
    },
    async get(id, { tenant = home } = {}) {
      await published()
      const found = await readApproval(store, tenant, id)
      if (!found || !isGenuine(found.kept, { tenant, id })) return undefined
      return withDelivery(store, found.kept.approval)
    },
    async countWaiting({ tenant = home } = {}) {
      await published()
      let count = 0
      let cursor: string | undefined
      do {
        const page = await store.listCalls({ tenant, status: ['awaiting_approval'], limit: PAGE, cursor })
        count += page.rows.length
        cursor = page.cursor
      } while (cursor !== undefined)
      return count
    },
  }
}

function checkStatuses(given: readonly ApprovalStatus[]): void {
  const wrong = given.find((status) => !approvalStatuses.includes(status))
  if (wrong === undefined) return
  const near = nearestWord(String(wrong), [...approvalStatuses])
  throw new TypeError(
    `There is no approval status "${wrong}"; ${near ? `did you mean "${near}"?` : `there are ${approvalStatuses.join(', ')}.`}`,
  )
}
