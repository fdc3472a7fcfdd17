/** Whether a header is what it says, and no file that holds some, and leaves the request's method alone. */
export function isPlainHeader(header: string): boolean {
  return !/^@|method|override/i.test(header)
}
