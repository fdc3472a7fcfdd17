const LOOKED_AT_CHARS = 8192
const ODD_SHARE = 0.05

/** Whether a text looks like bytes that were never meant to be read: control characters, or places that could not be decoded. */
export function looksBinary(head: string): boolean {
  const length = Math.min(head.length, LOOKED_AT_CHARS)
  let odd = 0
  for (let at = 0; at < length; at++) if (isOdd(head.charCodeAt(at))) odd++
  return odd > 0 && odd >= length * ODD_SHARE
}

/** Not what terminals and text files contain; line ends, tabs, bells, backspaces and escapes are. */
function isOdd(code: number): boolean {
  if (code === 0xfffd) return true
  if (code >= 0x20) return code >= 0x7f && code < 0xa0
  return !(code >= 0x07 && code <= 0x0d) && code !== 0x1b
}
