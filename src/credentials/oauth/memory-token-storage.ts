import type { Grant, GrantKey, TokenStorage } from './token-storage.js'

/** Grants that end with the process. */
export function memoryTokenStorage(): TokenStorage {
  const grants = new Map<string, Grant>()
  const turns = new Map<string, Promise<unknown>>()
  const textOf = ({ user, url }: GrantKey): string => JSON.stringify([user, url])
  return {
    load: async (key) => grants.get(textOf(key)),
    save: async (grant) => void grants.set(textOf(grant), grant),
    remove: async (key) => grants.delete(textOf(key)),
    exclusively(key, task) {
      const text = textOf(key)
      const turn = (turns.get(text) ?? Promise.resolve()).then(task, task)
      turns.set(text, turn)
      return turn.finally(() => {
        if (turns.get(text) === turn) turns.delete(text)
      })
    },
  }
}
