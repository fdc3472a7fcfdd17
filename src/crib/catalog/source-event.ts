import type { Redactor } from '../../redaction/redactor.js'
import type { SourceStatus } from '../../sources/source.js'
import type { EventDraft } from '../../storage/event-list.js'

/** The event of a source that began to fail, or no longer does. */
export function sourceEvent(status: SourceStatus, redactor: Redactor, at: number): EventDraft {
  const { name: source, tools } = status
  if (status.state !== 'failed') return { type: 'toolcrib.source.recovered', at, data: { source, tools } }
  const { problem } = cleanStatus(status, redactor)
  return { type: 'toolcrib.source.failed', at, data: { source, tools, message: problem } }
}

/** Addresses and commands stand in what went wrong, and credentials in those. */
export function cleanStatus<Status extends SourceStatus>(status: Status, redactor: Redactor): Status {
  return status.state === 'failed' ? { ...status, problem: redactor.text(status.problem) } : status
}
