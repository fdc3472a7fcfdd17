import type { Claim, Lock, LockKind, Slot } from './claim.js'

/** A claim in the queue of one key. */
export type NodeClaim = { key: string; kind: LockKind } | { key: string; kind: 'slot'; width: number }

const PATH = 'path:'

/** Adds the intent locks on the folders above. Each key occurs once, in sorted order. Locks belong to a tenant. */
export function expandClaims(claims: readonly Claim[], tenant: string): NodeClaim[] {
  const kinds = new Map<string, LockKind>()
  const slots = new Map<string, number>()
  for (const claim of claims) {
    if ('width' in claim) {
      slots.set(claim.key, Math.min(claim.width, slots.get(claim.key) ?? Number.POSITIVE_INFINITY))
      continue
    }
    const key = withoutSlash(withinLimits(claim.key))
    add(kinds, key, claim.mode)
    const intent = claim.mode === 'shared' ? 'intent_shared' : 'intent_exclusive'
    for (const above of keysAbove(key)) add(kinds, above, intent)
  }
  const expanded: NodeClaim[] = []
  for (const [key, kind] of kinds) expanded.push({ key: lockKey(tenant, key), kind })
  for (const [key, width] of slots) expanded.push({ key: slotKey(key), kind: 'slot', width })
  return expanded.length < 2 ? expanded : expanded.toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

function lockKey(tenant: string, key: string): string {
  return `lock:${JSON.stringify(tenant)}:${key}`
}

/** The name of a lock of this tenant, as its tool gave it. */
export function lockName({ key }: NodeClaim, tenant: string): string {
  return key.slice(lockKey(tenant, '').length)
}

/** A slot and a lock of the same name are independent. */
export function slotKey(key: string): string {
  return `slot:${key}`
}

/** The claim of a node of this tenant. `undefined` for an intent lock, which belongs to a claim on a path below. */
export function toClaim(node: NodeClaim, tenant: string): Lock | Pick<Slot, 'key' | 'width'> | undefined {
  if (node.kind === 'slot') return { key: node.key.slice(slotKey('').length), width: node.width }
  if (node.kind === 'intent_shared' || node.kind === 'intent_exclusive') return undefined
  return { key: lockName(node, tenant), mode: node.kind === 'exclusive' ? 'exclusive' : 'shared' }
}

function add(kinds: Map<string, LockKind>, key: string, kind: LockKind): void {
  const before = kinds.get(key)
  kinds.set(key, before === undefined ? kind : both(before, kind))
}

/** The weakest kind that covers both. */
function both(a: LockKind, b: LockKind): LockKind {
  if (a === b) return a
  if (a === 'exclusive' || b === 'exclusive') return 'exclusive'
  if (a === 'intent_shared') return b
  if (b === 'intent_shared') return a
  return 'shared_intent_exclusive'
}

/** No file system has longer paths; and every folder above takes a lock. */
const MAX_PATH_CHARS = 4096
const MAX_FOLDERS = 128

/** Of a path with too many folders above it, one of these folders: a lock of it covers the path. */
function withinLimits(key: string): string {
  if (!key.startsWith(PATH) || key.length <= MAX_FOLDERS) return key
  const end = key.length > MAX_PATH_CHARS ? key.lastIndexOf('/', MAX_PATH_CHARS) : key.length
  const folder = key.slice(PATH.length, Math.max(end, PATH.length)).split('/', MAX_FOLDERS).join('/')
  return PATH + (folder || '/')
}

function withoutSlash(key: string): string {
  return key.startsWith(PATH) && key.length > PATH.length + 1 ? key.replace(/\/+$/, '') || `${PATH}/` : key
}

/** The folders above a path, from the root down. */
function keysAbove(key: string): string[] {
  if (!key.startsWith(PATH)) return []
  const parts = key.slice(PATH.length).split('/')
  const above: string[] = []
  let folder = ''
  for (const part of parts.slice(0, -1)) {
    folder += `${part}/`
    above.push(PATH + (folder === '/' ? '/' : folder.slice(0, -1)))
  }
  return above.filter((each) => each !== key)
}
