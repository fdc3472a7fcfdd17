import type { GatewaySession } from '../gateway.js'
import type { Visitor } from './admit.js'
import type { SessionHouse } from './create-legacy-sessions.js'

/** The place at the counter that all modern requests of one token and surface share. */
export interface ModernPlaces {
  /** Holds it; what was held is given back with `release`. */
  hold(visitor: Visitor, now: number): Held | Promise<Held>
  sweep(now: number): void
  closeAll(): Promise<void>
  readonly size: number
}

export interface Held {
  readonly place: GatewaySession
  release(): void
}

interface Entry extends Held {
  holders: number
  usedAt: number
}

export function createModernPlaces({ gateway, settings, tell }: SessionHouse): ModernPlaces {
  const entries = new Map<string, Entry>()
  const opening = new Map<string, Promise<Entry>>()
  const closing = new Set<Promise<void>>()

  const close = (binding: string, entry: Entry) => {
    if (!entries.delete(binding)) return
    const done = entry.place
      .close()
      .catch(tell)
      .finally(() => closing.delete(done))
    closing.add(done)
  }
  const open = async (visitor: Visitor): Promise<Entry> => {
    const place = await gateway.open(visitor.caller, { era: 'modern' })
    const entry: Entry = { place, holders: 0, usedAt: 0, release: () => (entry.holders -= 1) }
    makeRoom()
    entries.set(visitor.binding, entry)
    return entry
  }
  const makeRoom = () => {
    if (entries.size < settings.maxSessions) return
    for (const [binding, entry] of entries) if (entry.holders === 0) return close(binding, entry)
  }
  const held = (entry: Entry, now: number): Entry => {
    entry.holders += 1
    entry.usedAt = now
    return entry
  }
  return {
    hold(visitor, now) {
      const entry = entries.get(visitor.binding)
      if (entry !== undefined) return held(entry, now)
      let pending = opening.get(visitor.binding)
      if (pending === undefined) {
        pending = open(visitor).finally(() => opening.delete(visitor.binding))
        opening.set(visitor.binding, pending)
      }
      return pending.then((opened) => held(opened, now))
    },
    sweep(now) {
      for (const [binding, entry] of entries)
        if (entry.holders === 0 && now - entry.usedAt >= settings.sessionIdleMs) close(binding, entry)
    },
    async closeAll() {
      await Promise.allSettled(opening.values())
      for (const [binding, entry] of entries) close(binding, entry)
      await Promise.all(closing)
    },
    get size() {
      return entries.size
    },
  }
}
