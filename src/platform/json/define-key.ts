// Assigning `__proto__` would set the prototype: as data it is a key like any other.
export function defineKey(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true })
}
