import { readMember } from './read-member.js'

/** The status with which a server refused, where the error of an HTTP client names it. */
export function httpStatus(error: unknown): number | undefined {
  const places = [
    readMember(error, 'status'),
    readMember(error, 'statusCode'),
    readMember(readMember(error, 'response'), 'status'),
  ]
  return places.find((place): place is number => isRefusal(place))
}

/** Exit codes stand in `status` too; they end at 255. */
function isRefusal(status: unknown): boolean {
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status < 600
}
