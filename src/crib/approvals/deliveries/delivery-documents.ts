import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import type { Store } from '../../../storage/store.js'
import { updateDocument } from '../../../storage/update-document.js'

export const DELIVERY_KIND = 'approval_delivery'

export type DeliveryRecord = NonNullable<ToolcribApproval['delivery']>

/** What was sent for one question. Beside the approval, whose document changes only with its answer. */
export interface Delivery {
  readonly record: DeliveryRecord
  /** When the last attempt to announce began, in milliseconds. */
  readonly triedAt?: number | undefined
  /** The process that sends now. */
  readonly sender?: { readonly owner: string; readonly until: number } | undefined
}

export interface DeliveryKey {
  readonly tenant: string
  readonly id: string
}

const NOTHING: Delivery = { record: {} }

export async function readDelivery(store: Store, { tenant, id }: DeliveryKey): Promise<Delivery> {
  return toDelivery((await store.getDocument(tenant, DELIVERY_KIND, id))?.value)
}

/** Changes the document by compare-and-set. A change that returns undefined writes nothing. */
export function changeDelivery(
  store: Store,
  { tenant, id }: DeliveryKey,
  { now, change }: { now: () => number; change: (found: Delivery) => Delivery | undefined },
): Promise<Delivery | undefined> {
  return updateDocument<Delivery | undefined>(
    store,
    { tenant, kind: DELIVERY_KIND, id },
    (document) => {
      const value = change(toDelivery(document?.value))
      return value ? { value, result: value } : { result: undefined }
    },
    { now },
  )
}

function toDelivery(value: unknown): Delivery {
  return typeof value === 'object' && value !== null && 'record' in value ? (value as Delivery) : NOTHING
}

/** The approval with what is known about its delivery. Only questions with a form have any. */
export async function withDelivery(store: Store, approval: ToolcribApproval): Promise<ToolcribApproval> {
  if (approval.form === undefined) return approval
  const { record } = await readDelivery(store, { tenant: approval.tenant, id: approval.approval_id })
  return Object.keys(record).length === 0 ? approval : { ...approval, delivery: record }
}
