const { hasOwnProperty } = Object.prototype

/** As `Object.hasOwn`. In a `for…in` loop over the same object it costs half as much: V8 knows the answer there. */
export function isOwn(object: object, key: string): boolean {
  return hasOwnProperty.call(object, key)
}
