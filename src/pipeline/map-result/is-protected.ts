import type { MappedRun } from './mask-ports.js'

/** Whether the output before redaction is stored, sealed, for named actors. */
export function isProtected({ surface, ports }: MappedRun): boolean {
  return (surface.request.redaction ?? ports.redactionWay) === 'protect'
}
