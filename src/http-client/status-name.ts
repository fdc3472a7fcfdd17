import { STATUS_CODES } from 'node:http'

/** The name of an HTTP status, such as `Not Found`. */
export function statusName(status: number): string | undefined {
  return STATUS_CODES[status]
}
