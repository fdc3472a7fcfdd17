/** Whether a header is literal, not a file with headers, and does not change the request's method. */
export function isPlainHeader(header: string): boolean {
  return !/^@|method|override/i.test(header)
}
