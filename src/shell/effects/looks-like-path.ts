const SLASH = 47
const DOT = 46
const TILDE = 126

/** It has a slash, or begins like a hidden or relative name, and is not a URL. */
export function looksLikePath(value: string): boolean {
  const first = value.charCodeAt(0)
  if (first === SLASH || first === TILDE || (first === DOT && value.length > 1)) return true
  return value.includes('/') && !value.includes('://')
}
