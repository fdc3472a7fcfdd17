import { readMember } from './read-member.js'

/** The status of a server's error response, if the HTTP client's error has it. */
export function httpStatus(error: unknown): number | undefined {
  const candidates = [
    readMember(error, 'status'),
    readMember(error, 'statusCode'),
    readMember(readMember(error, 'response'), 'status'),
  ]
  return candidates.find((status): status is number => isRefusal(status))
}

/** Exit codes are found in `status` too; they end at 255. */
function isRefusal(status: unknown): boolean {
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status < 600
}
