import type { CallRun } from '../call-run.js'

/** Whether what secrets are taken out of is kept, sealed, for named actors. */
export function isProtected({ surface, ports }: CallRun): boolean {
  return (surface.request.redaction ?? ports.redactionWay) === 'protect'
}
